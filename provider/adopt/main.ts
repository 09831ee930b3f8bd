import { runPart } from "../command/run-part";
import { adopt } from "./command";

// Exported because esbuild removes unused code only from files that have an export.
export const finished = runPart(adopt);
