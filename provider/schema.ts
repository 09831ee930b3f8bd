import { packageSchema } from "../kit/schema";
import { functions } from "./functions/list";
import { dbplatform } from "./provider";

/** Returns the package schema. @param examples Examples in Markdown, by name of the resource or function. */
export const schema = (examples?: Readonly<Record<string, string>>): Record<string, unknown> =>
  packageSchema(dbplatform, functions, examples);
