import type { z } from "zod";
import type { Problem } from "../../traits";
import type { Properties } from "../properties";
import { unknownArgument } from "./messages";
import { shapeReason } from "./shape";

/**
 * Returns one problem for each unknown argument.
 *
 * @param owner The resource, function or list as it appears in error messages.
 */
export function unknownArguments(owner: string, args: z.ZodObject, given: Properties): Problem[] {
  const names = Object.keys(args.shape);
  return Object.keys(given)
    .filter((property) => !Object.hasOwn(args.shape, property) && !property.startsWith("__"))
    .map((property) => ({ property, reason: unknownArgument({ owner, argument: property, known: names }) }));
}

export function shapeProblems(property: string, schema: z.ZodType, value: unknown): Problem[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => ({
    property: pathOf(property, issue.path),
    reason: shapeReason(issue, schema, value),
  }));
}

/**
 * Builds a property path in the engine's syntax: `keepers` and `["a b"]` become `keepers["a b"]`. A key with a
 * backslash is omitted, because the engine has no way to escape a backslash and fails on a path that it cannot parse.
 */
export const pathOf = (property: string, rest: readonly PropertyKey[]): string =>
  rest.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    const name = String(key);
    if (name.includes("\\")) return path;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}["${name.replaceAll('"', '\\"')}"]`;
  }, property);
