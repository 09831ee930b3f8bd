import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads the package schema, which is beside the folder of this source file and of the published bundle. It is kept in a
 * separate file, because the engine rarely asks for it.
 */
export const schemaFile = (): Promise<string> => readFile(join(__dirname, "../schema.json"), "utf8");
