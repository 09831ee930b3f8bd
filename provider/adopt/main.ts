import { messageOf } from "../../platform/client/refusal";
import { MissingSettings } from "../config";
import { adopt } from "./command";

// Without an export, esbuild treats this file as CommonJS and removes no unused code.
export const finished = adopt.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof MissingSettings ? inWords(error) : messageOf(error)}\n`);
  process.exitCode = 1;
});

const inWords = ({ settings }: MissingSettings): string =>
  settings.map(({ name, description }) => `Missing: ${name}. ${description}`).join("\n");
