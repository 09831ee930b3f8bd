import * as z from "zod";
import type { AnyResource } from "./definition";

const deleted = z
  .boolean()
  .optional()
  .describe("List deleted objects that can still be restored, instead of live ones. Default: false.");

/** Returns the schema of the arguments for listing this type, or `undefined` if the type cannot be listed. */
export function listInputsOf({ list, restorable }: AnyResource): z.ZodObject | undefined {
  return list && z.strictObject(restorable ? { deleted } : {});
}
