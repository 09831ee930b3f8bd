import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Relative paths of schema.json: from the published bundle in `dist`, and from this source file. */
const PLACES = ["../schema.json", "../../schema.json"];

/** Reads the package schema from a separate file, because the engine rarely asks for the schema. */
export async function schemaFile(): Promise<string> {
  const [published = "", source = ""] = PLACES.map((place) => join(__dirname, place));
  return readFile(existsSync(published) ? published : source, "utf8");
}
