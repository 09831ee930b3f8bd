import { serve } from "../../kit";

export const listening = serve(async () => (await import("./provider.js")).d1);
