import { message } from "../../values/message";

/** Like all messages about fields, this message begins with a verb, because the field's name precedes the message. */
export const fieldMissing = message((accepted: string) => `is required and must be ${accepted}`, ["a UUID"]);
export const fieldWrong = message(
  (accepted: string, given: string) => `must be ${accepted}, but is ${given}`,
  ["a whole number", '"many"'],
);
export const fieldUnknown = message(
  (unknown: string, known: readonly string[]) =>
    `has no field ${unknown}${known.length > 0 ? `; its fields are ${known.join(", ")}` : ""}`,
  ['"nmae"', ["name", "location"]],
  ['"nmae"', []],
);

/** Descriptions of accepted values, by type. */
export const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a JSON object",
  record: "a JSON object",
  array: "a list",
  file: "a file",
};

/** Descriptions of accepted strings, by format. */
export const FORMATS: Readonly<Record<string, string>> = {
  guid: "a UUID",
  email: "an email address",
  datetime: 'an instant such as "2026-01-31T12:00:00Z"',
};

export const OTHER_TYPE = "a value of another type";
export const OTHER_FORMAT = "text in another format";
export const OTHER_VALUE = "another value";
export const NOT_EMPTY_TEXT = "non-empty text";
export const NOT_EMPTY_LIST = "a list with at least one item";

export const atMost = message((maximum: number | bigint) => `at most ${maximum}`, [100]);
export const atLeast = message((minimum: number | bigint) => `at least ${minimum}`, [1]);
export const moreThan = message((minimum: number | bigint) => `more than ${minimum}`, [0]);
export const listOf = message((accepted: string) => `a list of ${accepted}`, ["text"]);

/** Lists the values that a field accepts. */
export const choice = message(
  (all: readonly string[]) => (all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all.join()),
  [['"before"', '"after"']],
  [["true"]],
);

/**
 * Descriptions that replace rejected values in messages. The values themselves could reveal a secret or fill the
 * screen.
 */
export const GIVEN = { emptyList: "an empty list", list: "a list", file: "a file", object: "an object" } as const;

export const BODY = "the request body";

/** The public service's message for an invalid parameter (wire-facts 3.2). Do not reword it. */
export const invalidParameter = message(
  (name: string, problem: string) => `invalid ${name} parameter: ${problem}`,
  ["from", 'parsing time "2026-03-01": cannot parse "" as "T"'],
);
