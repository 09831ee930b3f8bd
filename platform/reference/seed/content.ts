import type * as z from "zod";
import { ourWords } from "../requests/form-problem";
import { mistakesOf } from "./mistakes-of";

/**
 * Returns the content of an object or a file (its path). Throws with every mistake, each with its property, and its
 * line if there is one.
 */
export async function contentOf<Schema extends z.ZodType>(
  given: string | z.input<Schema>,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  if (typeof given === "string") {
    // Most starts read no file.
    const { readYaml } = await import("./yaml-file.js");
    return readYaml(given, schema, what);
  }
  const { data, error } = schema.safeParse(given, { error: ourWords });
  if (error)
    throw new Error(
      mistakesOf(error)
        .map(({ text }) => `${what}: ${text}`)
        .join("\n"),
    );
  return data;
}
