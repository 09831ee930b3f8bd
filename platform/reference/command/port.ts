import { InvalidArgumentError } from "commander";
import { INVALID_PORT } from "./messages";

/** Returns the port of a server's address. These addresses always contain a port. */
export const portOf = (url: string): number => Number(/\d+$/.exec(url));

/** Parses the option `--port`: a whole number from 0 to 65535. */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65535) throw new InvalidArgumentError(INVALID_PORT);
  return number;
}
