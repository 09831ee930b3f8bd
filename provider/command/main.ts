import { overview } from "./overview";

// Exported because esbuild removes unused code only from files that have an export.
export const finished = overview.parseAsync();
