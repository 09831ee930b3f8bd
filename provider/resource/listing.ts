import * as z from "zod";
import type { AnyResource } from "./definition";

const deleted = z
  .boolean()
  .optional()
  .describe("List deleted objects that can still be restored, instead of live ones. Default: false.");

/** Returns the schema of the inputs that a list of this type accepts; `undefined` when the type cannot be listed. */
export function listInputsOf({ list, restorable }: AnyResource): z.ZodObject | undefined {
  return list && z.strictObject(restorable ? { deleted } : {});
}
