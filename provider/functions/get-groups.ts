import * as z from "zod";
import { platformFunction } from "../platform";
import { limit } from "./arguments";
import { LiveGroup, liveGroup } from "./live-group";
import { firstOf, truncated } from "./results";

export const getGroups = platformFunction({
  name: "getGroups",
  reads: ["listGroups"],
  description: "The groups of the organization, without deleted ones: see `getDeletedGroups`.",
  args: z.object({ limit }),
  result: z.object({ groups: z.array(LiveGroup).describe("The groups, as the platform lists them."), truncated }),

  async read({ limit }, { platform: { organization } }) {
    const { items, whole } = firstOf(await organization.groups(), limit);
    return { groups: items.map(liveGroup), truncated: !whole };
  },
});
