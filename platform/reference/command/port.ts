import { InvalidArgumentError } from "commander";
import { INVALID_PORT } from "./messages";

/** Parses the option `--port`: a whole number from 0 to 65535. */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65535) throw new InvalidArgumentError(INVALID_PORT);
  return number;
}
