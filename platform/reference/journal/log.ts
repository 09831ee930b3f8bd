import { redactCredentials } from "../credentials/redact";
import type { JournalEntry } from "./journal";

/**
 * Functions that format a request as a line of the log, by log format. The line has no trailing line break. Nothing
 * needs to be redacted, because journal entries contain no credentials.
 */
const lines: Readonly<Record<"json" | "text", (entry: JournalEntry, duration: number) => string>> = {
  json: ({ caller, fault, ...entry }, duration) =>
    JSON.stringify({
      ...entry,
      duration_ms: roundedMilliseconds(duration),
      ...caller,
      ...(fault && { fault: fault.id }),
    }),

  text: ({ time, operation, method, path, status, caller, fault }, duration) =>
    [
      time,
      status === UNANSWERED ? "---" : status,
      method.padEnd(LONGEST_METHOD),
      path,
      operation,
      `${roundedMilliseconds(duration)} ms`,
      caller?.user,
      fault && `(fault ${fault.id})`,
    ]
      .filter((part) => part !== undefined)
      .join(" ")
      .replace(/\p{Cc}/gu, "?"),
};

const UNANSWERED = 0;
const LONGEST_METHOD = "DELETE".length;

const roundedMilliseconds = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

export const logger = (format: keyof typeof lines | "none", out: { write(text: string): unknown }) =>
  format === "none"
    ? undefined
    : (entry: JournalEntry, duration: number): void => void out.write(`${lines[format](entry, duration)}\n`);

/** Prints errors of the reference API itself as lines of JSON instead of plain text. */
export function logFailuresAsJson(out: { write(text: string): unknown }): void {
  console.error = (...values: unknown[]): void => {
    const message = values
      .map((value) => (value instanceof Error ? (value.stack ?? value.message) : String(value)))
      .join(" ");
    out.write(`${JSON.stringify({ level: "error", message: redactCredentials(message) })}\n`);
  };
}
