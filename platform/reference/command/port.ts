import { InvalidArgumentError } from "commander";
import { INVALID_PORT } from "./messages";

/** Parses the value of the option `--port`. */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65535) throw new InvalidArgumentError(INVALID_PORT);
  return number;
}
