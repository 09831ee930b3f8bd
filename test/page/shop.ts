import { join } from "node:path";
import type { ReferenceApiOptions } from "../../platform/reference/server";
import { root } from "../../tools/run";
import { world } from "../reference/world";

/** The example's two organizations at noon. */
export const shop = (options: ReferenceApiOptions = {}) =>
  world({ seed: join(root, "examples/reference-api/shop.yaml"), ...options });
