import type * as z from "zod";
import { redactCredentials } from "../credentials/redact";
import {
  atLeast,
  atMost,
  choice,
  FORMATS,
  fieldMissing,
  fieldUnknown,
  fieldWrong,
  GIVEN,
  listOf,
  moreThan,
  NOT_EMPTY_LIST,
  NOT_EMPTY_TEXT,
  OTHER_FORMAT,
  OTHER_TYPE,
  OTHER_VALUE,
  TYPES,
} from "./messages";

type Issue = z.core.$ZodRawIssue;

/** Returns the message for a schema error. Validators with their own messages do not use this function. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "unrecognized_keys") return unknownFieldsProblem(issue);
  const given = givenValue(issue);
  const accepted = acceptedBy(issue);
  return given === undefined ? fieldMissing({ accepted }) : fieldWrong({ accepted, given: shownValue(given) });
};

/** Returns the value that the message is about: if the field that selects a form is invalid, the value of that field. */
const givenValue = (issue: Issue): unknown =>
  issue.code === "invalid_union" && issue.discriminator !== undefined
    ? (issue.input as Record<string, unknown>)[issue.discriminator]
    : issue.input;

/** Describes each problem with a value in one sentence. `whole` names the value if no single field is invalid. */
export const formProblem = ({ issues }: z.ZodError, whole: string): string =>
  issues.map((issue) => problemSentence(issue, whole)).join("; ");

function problemSentence({ path, message }: z.core.$ZodIssue, whole: string): string {
  // Omits the field name, because `invalid role` is the complete message in wire-facts 1.5.
  if (message === `invalid ${String(path.at(-1))}`) return message;
  const field = path.reduce<string>(fieldPath, "") || whole;
  return /^(must|is|has|cannot) /.test(message) ? `${field} ${message}` : `${field}: ${message}`;
}

function fieldPath(outer: string, part: PropertyKey): string {
  if (typeof part === "number") return `${outer}[${part}]`;
  return outer === "" ? String(part) : `${outer}.${String(part)}`;
}

function acceptedBy(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return FORMATS[acceptedFormat(issue)] ?? TYPES[issue.expected] ?? OTHER_TYPE;
    case "invalid_value":
      return choice({ choices: issue.values.map((value) => JSON.stringify(value)) });
    case "invalid_format":
      return FORMATS[issue.format] ?? OTHER_FORMAT;
    case "invalid_union":
      if (issue.discriminator !== undefined)
        return choice({ choices: (issue.options as readonly unknown[]).map((value) => JSON.stringify(value)) });
      return choice({
        choices: issue.errors.flatMap(([first]) => (first ? [acceptedInside(first)] : [])),
      });
    case "too_small":
      return leastAccepted(issue);
    case "too_big":
      return atMost({ bound: issue.maximum });
    default:
      return OTHER_VALUE;
  }
}

/** Returns the format that a string must have, if the schema requires one. */
const acceptedFormat = ({ inst }: Issue): string =>
  (inst as { _zod?: { def: { format?: string } } } | undefined)?._zod?.def.format ?? "";

const acceptedInside = (issue: z.core.$ZodIssue): string =>
  issue.path.length === 0 ? acceptedBy(issue as Issue) : listOf({ accepted: acceptedBy(issue as Issue) });

function leastAccepted({ origin, minimum, inclusive }: Issue & { code: "too_small" }): string {
  if (origin === "string") return NOT_EMPTY_TEXT;
  if (origin === "array") return NOT_EMPTY_LIST;
  return inclusive === false ? moreThan({ bound: minimum }) : atLeast({ bound: minimum });
}

function unknownFieldsProblem({ keys, inst }: Issue & { code: "unrecognized_keys" }): string {
  const known = Object.keys((inst as z.ZodObject | undefined)?.shape ?? {});
  const field = keys.map((key) => shownValue(key)).join(", ");
  return fieldUnknown({ field, known });
}

const LONGEST_SHOWN = 40;

/**
 * Returns a short form of a rejected value, without credentials. The properties of an object are never shown, because
 * they may include an encryption key.
 */
function shownValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(beginningOf(value));
  if (Array.isArray(value)) {
    if (value.length === 0) return GIVEN.emptyList;
    return value.every((item) => typeof item === "string") ? beginningOf(JSON.stringify(value)) : GIVEN.list;
  }
  if (value instanceof File) return GIVEN.file;
  return typeof value === "object" && value !== null ? GIVEN.object : String(value);
}

/**
 * Returns the beginning of a string. Credentials are removed before the string is cut, because a truncated credential
 * would not be recognized.
 */
function beginningOf(text: string): string {
  const safe = redactCredentials(text);
  return safe.length > LONGEST_SHOWN ? `${safe.slice(0, LONGEST_SHOWN)}…` : safe;
}
