import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Paths of schema.json as seen from the published bundle in `dist`, and from this file. */
const PLACES = ["../schema.json", "../../schema.json"];

/** Reads the package schema from a separate file, because the engine rarely asks for the schema. */
export async function schemaFile(): Promise<string> {
  const [published = "", source = ""] = PLACES.map((place) => join(__dirname, place));
  return readFile(existsSync(published) ? published : source, "utf8");
}
