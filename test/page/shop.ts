import { join } from "node:path";
import type { ReferenceApiOptions } from "../../platform/reference/server";
import { root } from "../../tools/run";
import { world } from "../reference/world";

/** Starts a platform seeded with the two organizations of the `reference-api` example. Its clock shows noon. */
export async function shop(options: ReferenceApiOptions = {}) {
  const here = await world({ seed: join(root, "examples/reference-api/shop.yaml"), ...options });
  return {
    ...here,
    async deletedId(name: string): Promise<string> {
      const { databases } = await here.owner.ok("listDeletedDatabases", { ...here.id, query: { deleted: "true" } });
      return databases.find(({ Name }) => Name === name)?.DbId ?? "";
    },
  };
}
