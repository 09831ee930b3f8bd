import * as z from "zod";
import { readPages } from "../client/pages";
import { explainForbidden } from "../permissions/permissions";
import { platformFunction } from "../platform";
import { limit } from "./arguments";
import { LiveGroup } from "./live-group";
import { namedType, recoveryTime, recoveryTimeOf, truncated } from "./results";

const { uuid, name } = LiveGroup.shape;

const DeletedGroup = namedType("DeletedGroup", "A deleted group that can still be restored.", {
  uuid,
  name,
  databaseCount: z.int().describe("Number of databases that were deleted with the group and are restored with it."),
  ...recoveryTime,
});

export const getDeletedGroups = platformFunction({
  name: "getDeletedGroups",
  reads: ["listDeletedGroups"],
  description:
    "Groups that were deleted within the last five days, with the time left to restore each. To restore one, declare a `Group` with the option `import` and its `uuid`.",
  args: z.object({ limit }),
  result: z.object({ groups: z.array(DeletedGroup).describe("The groups, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { api } = context.platform;
    const { items, whole } = await explainForbidden("listDeletedGroups", context, async () => {
      return readPages(
        (query) => api.listDeletedGroups({ query }),
        ({ groups }) => groups,
        limit,
      );
    });
    const groups = items.map(({ uuid, name, cascade_databases, deleted_at }) => ({
      uuid,
      name,
      databaseCount: cascade_databases,
      ...recoveryTimeOf(deleted_at, context),
    }));
    return { groups, truncated: !whole };
  },
});
