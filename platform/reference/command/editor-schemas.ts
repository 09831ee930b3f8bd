import * as z from "zod";
import { FaultRules } from "../faults/faults";
import { Seed } from "../seed/seed";

/**
 * JSON schemas that editors use to check the YAML files of seeds and fault rules, in the JSON Schema draft that editors
 * support best.
 */
export const editorSchemas = () => ({
  seed: z.toJSONSchema(Seed, { io: "input", target: "draft-7" }),
  faults: z.toJSONSchema(FaultRules, { io: "input", target: "draft-7" }),
});
