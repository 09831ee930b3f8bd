import { serve } from "../kit/plugin/serve";

// Without an export, esbuild takes a file for CommonJS, wraps every module that it reaches, and leaves nothing out of the
// bundle. So every program exports something.
export const listening = serve(async () => (await import("./provider.js")).dbplatform);
