import type * as z from "zod";
import { describeIssue } from "../requests/form-problem";
import { type Mistake, mistakesOf } from "./mistakes";

/**
 * Validates an object, or the YAML file at a path, against the schema. Throws one error that lists every mistake with
 * its property and, in a file, its line.
 */
export async function readContent<Schema extends z.ZodType>(
  given: string | z.input<Schema>,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  if (typeof given === "string") {
    // Loads the YAML reader only when needed, because the server usually starts without a file.
    const { readYaml } = await import("./yaml-file.js");
    return readYaml(given, schema, what);
  }
  const { data, mistakes } = parseContent(given, schema);
  if (mistakes) throw new Error(mistakes.map(({ text }) => `${what}: ${text}`).join("\n"));
  return data;
}

/** Validates an object against the schema. Returns the result, or every mistake with its path. */
export function parseContent<Schema extends z.ZodType>(
  given: z.input<Schema>,
  schema: Schema,
):
  | { readonly data: z.output<Schema>; readonly mistakes?: never }
  | { readonly data?: never; readonly mistakes: readonly Mistake[] } {
  const { data, error } = schema.safeParse(given, { error: describeIssue });
  return error ? { mistakes: mistakesOf(error) } : { data };
}
