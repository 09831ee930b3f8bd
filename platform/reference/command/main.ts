import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Lets only the owner write to the cache beside the code, so that the cache is as safe as the code itself.
const mask = process.umask(0o077);
enableCompileCache(join(__dirname, "../.compile-cache"));
process.umask(mask);

// The import is dynamic, because only modules that are loaded after `enableCompileCache` has been called are cached.
// The export makes esbuild treat this file as an ES module, because esbuild does not tree-shake CommonJS.
export const loaded = import("./run.js");
