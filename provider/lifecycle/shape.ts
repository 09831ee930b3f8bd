import * as z from "zod";

interface Form {
  readonly name: string;
  /** How a program writes a value of this form. */
  readonly written: string;
}

/** Forms by zod's type name. */
const FORMS: Readonly<Record<string, Form>> = {
  string: { name: "a string", written: "write it in quotation marks" },
  boolean: { name: "a boolean", written: "write true or false" },
  number: { name: "a number", written: "write it without quotation marks" },
  int: { name: "a whole number", written: "write it without quotation marks and without decimals" },
  array: { name: "a list", written: 'write it as ["…", "…"]' },
  record: { name: "an object", written: 'write it as { key: "value" }' },
};

/**
 * Explains what is wrong with the form of a value, and what to write instead. The text names only the kind of the
 * value, because the value may be a secret.
 */
export function shapeReason(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  const given = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)?.[key], value);
  if (given === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type": {
      const form = FORMS[issue.expected] ?? { name: "an object", written: `write it as { ${keysOf(schema)[0]}: … }` };
      return `must be ${form.name}, not ${kindOf(given)}: ${form.written}`;
    }
    case "invalid_value": {
      const kind = typeof given === "string" ? "another string" : kindOf(given);
      return `must be ${issue.values.map((text) => JSON.stringify(text)).join(" or ")}, not ${kind}`;
    }
    case "unrecognized_keys": {
      const unknown = issue.keys.map((key) => `\`${key}\``).join(", ");
      return `has no property ${unknown}; it has ${keysOf(schema).join(", ")}`;
    }
    default:
      return issue.message;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return FORMS[typeof value]?.name ?? "an object";
}

function keysOf(schema: z.ZodType): string[] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}
