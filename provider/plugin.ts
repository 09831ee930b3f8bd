import { serve } from "../kit/plugin/serve";

// Without an export in this file, esbuild would keep unused code in the bundle (decision 87).
export const listening = serve(async () => (await import("./provider.js")).dbplatform);
