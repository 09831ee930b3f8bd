import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Only this user may write to the compile cache, because the server executes the code in the cache.
const mask = process.umask(0o077);
enableCompileCache(join(__dirname, "../.compile-cache"));
process.umask(mask);

// The import is dynamic, because only modules that are loaded after `enableCompileCache` has been called are cached.
export const loaded = import("./run.js");
