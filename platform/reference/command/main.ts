import { enableCompileCache } from "node:module";
import { join } from "node:path";

// The cache lies beside the code and only its owner may write to it, so that it is as safe as the code itself.
const mask = process.umask(0o077);
enableCompileCache(join(__dirname, "../.compile-cache"));
process.umask(mask);

// The import is dynamic because only modules loaded from now on are cached. Without an export, esbuild treats this file
// as CommonJS and removes no unused code.
export const loaded = import("./run.js");
