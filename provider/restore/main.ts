import { messageOf } from "../../kit/refusal";
import { MissingSettings } from "../../kit/settings";
import { missingFromEnvironment } from "../command/messages";
import { ignoreClosedPipe } from "../command/output";
import { restore } from "./command";

ignoreClosedPipe();

// Exported because esbuild removes unused code only from files that have an export.
export const finished = restore.parseAsync().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof MissingSettings ? missingFromEnvironment({ missing: error.settings }) : messageOf(error)}\n`,
  );
  process.exitCode = 1;
});
