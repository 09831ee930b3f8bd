import * as z from "zod";
import { FaultRules } from "../platform/reference/faults/faults";
import { Seed } from "../platform/reference/seed/seed";

/**
 * JSON schemas for checking seed files and fault-rule files in an editor. Editors support draft 7 of JSON Schema best.
 */
export const editorSchemas = () => ({
  seed: z.toJSONSchema(Seed, { io: "input", target: "draft-7" }),
  faults: z.toJSONSchema(FaultRules, { io: "input", target: "draft-7" }),
});
