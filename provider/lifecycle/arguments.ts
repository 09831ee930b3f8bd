import type { z } from "zod";
import type { Problem } from "../resource/traits";
import type { Properties } from "./properties";
import { shapeReason } from "./shape";

/** One for each argument that is given and that there is not. `whose`: what has the arguments. */
export function unknownArguments(whose: string, args: z.ZodObject, given: Properties): Problem[] {
  const names = Object.keys(args.shape);
  return Object.keys(given)
    .filter((property) => !Object.hasOwn(args.shape, property) && !property.startsWith("__"))
    .map((property) => ({
      property,
      reason: `${whose} has no such property; it has ${names.join(", ") || "none"}`,
    }));
}

/** What is wrong with the form of one argument. */
export function shapeProblems(property: string, schema: z.ZodType, value: unknown): Problem[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => ({
    property: pathOf(property, issue.path),
    reason: shapeReason(issue, schema, value),
  }));
}

/**
 * `keepers` and `["a b"]` → `keepers["a b"]`: a property path as the engine reads them. It knows no escape but that of a
 * quotation mark, and fails at what it cannot read, so a key with a backslash is left out.
 */
export const pathOf = (property: string, rest: readonly PropertyKey[]): string =>
  rest.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    const name = String(key);
    if (name.includes("\\")) return path;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}["${name.replaceAll('"', '\\"')}"]`;
  }, property);
