import * as z from "zod";
import type { AnyResource } from "./definition";

const deleted = z
  .boolean()
  .optional()
  .describe("List what was deleted and can still be restored, instead of what lives. Default: false.");

/** What a list of this kind can be asked for; `undefined` where there is none. */
export function listInputsOf({ list, restorable }: AnyResource): z.ZodObject | undefined {
  return list && z.strictObject(restorable ? { deleted } : {});
}
