import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Gives only this user access to the compile cache, so that the cache is as safe as the code beside it.
const mask = process.umask(0o077);
enableCompileCache(join(__dirname, "../.compile-cache"));
process.umask(mask);

// The import is dynamic, because only modules that are loaded after `enableCompileCache` has been called are cached.
export const loaded = import("./run.js");
