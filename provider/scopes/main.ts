import { runPart } from "../command/run-part";
import { scopes } from "./command";

// Exported because esbuild removes unused code only from files that have an export.
export const finished = runPart(scopes);
