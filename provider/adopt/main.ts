import { messageOf } from "../../kit/refusal";
import { MissingSettings } from "../../kit/settings";
import { ignoreClosedPipe } from "../command/output";
import { adopt } from "./command";
import { missingSetting } from "./messages";

ignoreClosedPipe();

// Exported because esbuild removes unused code only from files that have an export.
export const finished = adopt.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof MissingSettings ? inWords(error) : messageOf(error)}\n`);
  process.exitCode = 1;
});

const inWords = ({ settings }: MissingSettings): string =>
  settings.map(({ name, variable }) => missingSetting(name, variable)).join("\n");
