import * as z from "zod";
import type { Form } from "../../facts";
import {
  ANY_OBJECT,
  FORMS,
  OTHER_STRING,
  objectForm,
  REQUIRED,
  unknownProperties,
  wrongForm,
  wrongValue,
} from "./messages";

const forms: Readonly<Record<string, Form>> = FORMS;

/**
 * Explains what is wrong with the type or shape of a value, and what to write instead. Never repeats the value, which
 * may be a secret.
 */
export function shapeReason(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  const given = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)?.[key], value);
  if (given === undefined) return REQUIRED;
  switch (issue.code) {
    case "invalid_type": {
      const form = forms[issue.expected] ?? {
        name: ANY_OBJECT,
        written: objectForm({ firstProperty: String(keysOf(schema)[0]) }),
      };
      return wrongForm({ form, given: givenForm(given) });
    }
    case "invalid_value":
      return wrongValue({ allowed: issue.values, given: typeof given === "string" ? OTHER_STRING : givenForm(given) });
    case "unrecognized_keys":
      return unknownProperties({ unknown: issue.keys, properties: keysOf(schema) });
    default:
      return issue.message;
  }
}

function givenForm(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return FORMS.array.name;
  return forms[typeof value]?.name ?? ANY_OBJECT;
}

function keysOf(schema: z.ZodType): string[] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}
