import type { Facts } from "../../values/facts";

// Messages about a field begin with a verb, because the field's name precedes them.
export const fieldMissing = ({ accepted }: Facts<"accepted">) => `is required and must be ${accepted}`;
export const fieldWrong = ({ accepted, given }: Facts<"accepted" | "given">) => `must be ${accepted}, but is ${given}`;
export const fieldUnknown = ({ field, known }: Facts<"field"> & { readonly known: readonly string[] }) =>
  `has no field ${field}${known.length > 0 ? `; its fields are ${known.join(", ")}` : ""}`;

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
export const atMost = ({ bound }: { readonly bound: number | bigint }) => `at most ${bound}`;
export const atLeast = ({ bound }: { readonly bound: number | bigint }) => `at least ${bound}`;
export const moreThan = ({ bound }: { readonly bound: number | bigint }) => `more than ${bound}`;
export const listOf = ({ accepted }: Facts<"accepted">) => `a list of ${accepted}`;
export const choice = ({ choices }: { readonly choices: readonly string[] }) =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(choices);

/** Descriptions that replace rejected values, which could reveal a secret or fill the screen. */
export const GIVEN = { emptyList: "an empty list", list: "a list", file: "a file", object: "an object" } as const;

export const BODY = "the request body";

/** The public service's message for an invalid parameter (wire-facts 3.2). Do not reword it. */
export const invalidParameter = ({ parameter, reason }: Facts<"parameter" | "reason">) =>
  `invalid ${parameter} parameter: ${reason}`;
