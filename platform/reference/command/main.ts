import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Beside the code and for one user alone: whoever could put something there could change the code itself.
const mask = process.umask(0o077);
enableCompileCache(join(__dirname, "../.compile-cache"));
process.umask(mask);

// Only what is loaded from now on is kept. Without an export, esbuild takes this for CommonJS and leaves nothing out.
export const loaded = import("./command.js");
