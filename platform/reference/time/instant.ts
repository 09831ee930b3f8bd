import * as z from "zod";
import { instantOutOfRange, instantTooLong, instantUnparsable } from "../messages";

export const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const LAYOUT = "2006-01-02T15:04:05Z07:00";

/** The parts of an RFC 3339 instant in order, each with a pattern and the name that the public service gives it. */
const PARTS: readonly [name: string, text: RegExp][] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d\d/],
  ["-", /^-/],
  ["02", /^\d\d/],
  ["T", /^T/],
  ["15", /^\d\d/],
  [":", /^:/],
  ["04", /^\d\d/],
  [":", /^:/],
  ["05", /^\d\d(\.\d+)?/],
  ["Z07:00", /^(Z|[+-]\d\d:\d\d)/],
];

export function instantProblem(text: string): string {
  let rest = text;
  for (const [name, part] of PARTS) {
    if (!part.test(rest)) return instantUnparsable({ text, layout: LAYOUT, rest, part: name });
    rest = rest.replace(part, "");
  }
  return rest === "" ? instantOutOfRange({ text }) : instantTooLong({ text, rest });
}
