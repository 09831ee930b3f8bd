import type * as z from "zod";
import { withoutCredentials } from "../credentials/redact";

type Issue = z.core.$ZodRawIssue;

/** Messages for schema errors, except those that a validator has worded itself. */
export const ourWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "unrecognized_keys") return unknownFields(issue);
  if (issue.input === undefined) return `is missing: it must be ${acceptedBy(issue)}`;
  return `must be ${acceptedBy(issue)}, but is ${shown(issue.input)}`;
};

/** Returns one sentence for each issue of a value parsed with `ourWords`; `whole` names the value itself. */
export const formProblem = ({ issues }: z.ZodError, whole: string): string =>
  issues.map((issue) => sentenceOf(issue, whole)).join("; ");

function sentenceOf({ path, message }: z.core.$ZodIssue, whole: string): string {
  // Wire-facts 1.5: `invalid role` is the complete message.
  if (message === `invalid ${String(path.at(-1))}`) return message;
  const field = path.reduce<string>(fieldIn, "") || whole;
  return /^(must|is|has|cannot) /.test(message) ? `${field} ${message}` : `${field}: ${message}`;
}

function fieldIn(outer: string, part: PropertyKey): string {
  if (typeof part === "number") return `${outer}[${part}]`;
  return outer === "" ? String(part) : `${outer}.${String(part)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a JSON object",
  record: "a JSON object",
  array: "a list",
  file: "a file",
};

const FORMATS: Readonly<Record<string, string>> = {
  guid: "a UUID",
  email: "an email address",
  datetime: 'an instant such as "2026-01-31T12:00:00Z"',
};

function acceptedBy(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return FORMATS[formatOf(issue)] ?? KINDS[issue.expected] ?? "a value of another kind";
    case "invalid_value":
      return choice(issue.values.map((value) => JSON.stringify(value)));
    case "invalid_format":
      return FORMATS[issue.format] ?? "text of another form";
    case "invalid_union":
      return choice(issue.errors.flatMap(([first]) => (first ? [acceptedInside(first)] : [])));
    case "too_small":
      return least(issue);
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return "something else";
  }
}

/** Returns the expected format of a text, if it has one. */
const formatOf = ({ inst }: Issue): string =>
  (inst as { _zod?: { def: { format?: string } } } | undefined)?._zod?.def.format ?? "";

const acceptedInside = (issue: z.core.$ZodIssue): string =>
  issue.path.length === 0 ? acceptedBy(issue as Issue) : `a list of ${acceptedBy(issue as Issue)}`;

function least({ origin, minimum, inclusive }: Issue & { code: "too_small" }): string {
  if (origin === "string") return "text that is not empty";
  if (origin === "array") return "a list with at least one item";
  return `${inclusive === false ? "more than" : "at least"} ${minimum}`;
}

const choice = (all: readonly string[]): string =>
  all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all.join();

function unknownFields({ keys, inst }: Issue & { code: "unrecognized_keys" }): string {
  const known = Object.keys((inst as z.ZodObject | undefined)?.shape ?? {});
  const unknown = keys.map((key) => shown(key)).join(", ");
  return `has no field ${unknown}${known.length > 0 ? `; its fields are ${known.join(", ")}` : ""}`;
}

const LONGEST_SHOWN = 40;

/**
 * Shortens a value so that it can be recognized. Never shows a credential, nor the content of an object, which may be
 * an encryption key.
 */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(beginningOf(value));
  if (Array.isArray(value)) {
    if (value.length === 0) return "an empty list";
    return value.every((item) => typeof item === "string") ? beginningOf(JSON.stringify(value)) : "a list";
  }
  if (value instanceof File) return "a file";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Credentials are removed before the text is cut off, because a truncated one would not be recognized. */
function beginningOf(text: string): string {
  const safe = withoutCredentials(text);
  return safe.length > LONGEST_SHOWN ? `${safe.slice(0, LONGEST_SHOWN)}…` : safe;
}
