import { messageOf } from "../../kit/refusal";
import { ignoreClosedPipe } from "../command/output";
import { scopes } from "./command";

ignoreClosedPipe();

// The export is needed, because esbuild keeps unused code in files without exports.
export const finished = scopes.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
