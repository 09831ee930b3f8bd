import { Command } from "commander";
import { runPart } from "../command/run-part";
import { fromLive } from "./command";

const seed = new Command("seed").addCommand(fromLive);

// Exported because esbuild removes unused code only from files that have an export.
export const finished = runPart(new Command("api").addCommand(seed));
