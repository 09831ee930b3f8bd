import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Paths of schema.json, relative to the published bundle in `dist` and to this source file. */
const PLACES = ["../schema.json", "../../schema.json"];

/** Reads the package schema. It is kept in a separate file, because the engine rarely asks for it. */
export async function schemaFile(): Promise<string> {
  const [published = "", source = ""] = PLACES.map((place) => join(__dirname, place));
  return readFile(existsSync(published) ? published : source, "utf8");
}
