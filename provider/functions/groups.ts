import * as z from "zod";
import { locationsExceptPrimary } from "../../platform/values/location";
import { canonicalUuid } from "../../platform/values/uuid";
import { readPages } from "../client/pages";
import { explainAccess } from "../permissions/permissions";
import { type PlatformContext, platformFunction } from "../platform";
import { groupReferenceRefusal } from "../resources/group/reference";
import type { LiveGroupRecord } from "../resources/group/state";
import { groupNames } from "../resources/group/state";
import { recoveryTimeOf } from "../resources/restoration";
import { exactlyOne, limit, uuid } from "./arguments";
import { firstOf, namedResultType, recoveryTime, truncated } from "./results";

export const oneGroup = z.object({
  name: z.string().optional().describe("Name of the group. Give either this or `uuid`."),
  uuid: uuid.optional().describe("UUID of the group. Give either this or `name`."),
});

export const whichGroup = exactlyOne<z.output<typeof oneGroup>>("name", "uuid");

export const LiveGroup = namedResultType("LiveGroup", "A group that is not deleted.", {
  uuid: z.string().describe("UUID of the group, by which a `Group` is imported."),
  name: z.string().describe("Name of the group."),
  location: z.string().describe("Code of the primary location."),
  locations: z.array(z.string()).describe("Codes of further locations."),
  deleteProtection: z.boolean().describe("Whether the platform refuses to delete the group."),
  archived: z.boolean().optional().describe("Whether the group is archived."),
});

export const getGroup = platformFunction({
  name: "getGroup",
  reads: ["listGroups"],
  description: "One group, by name or UUID. Deleted groups are not found: see `getDeletedGroups`.",
  args: oneGroup,
  result: LiveGroup,
  validate: whichGroup,

  async read(wanted, context) {
    return liveGroupResult(await requestedGroup(wanted, context));
  },
});

export const getGroups = platformFunction({
  name: "getGroups",
  reads: ["listGroups"],
  description: "The groups of the organization, without deleted ones: see `getDeletedGroups`.",
  args: z.object({ limit }),
  result: z.object({ groups: z.array(LiveGroup).describe("The groups, as the platform lists them."), truncated }),

  async read({ limit }, { platform: { organization } }) {
    const { items, whole } = firstOf(await organization.groups(), limit);
    return { groups: items.map(liveGroupResult), truncated: !whole };
  },
});

const DeletedGroup = namedResultType("DeletedGroup", "A deleted group that can still be restored.", {
  uuid: LiveGroup.shape.uuid,
  name: LiveGroup.shape.name,
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
    const { items, whole } = await explainAccess("listDeletedGroups", context, () =>
      readPages(
        (query) => api.listDeletedGroups({ query }),
        ({ groups }) => groups,
        limit,
      ),
    );
    const groups = items.map(({ uuid, name, cascade_databases, deleted_at }) => ({
      uuid,
      name,
      databaseCount: cascade_databases,
      ...recoveryTimeOf(deleted_at, context),
    }));
    return { groups, truncated: !whole };
  },
});

function liveGroupResult(record: LiveGroupRecord): z.output<typeof LiveGroup> {
  const { uuid, archived, locations, primary } = record;
  const own = groupNames.fromWire(record) as Pick<z.output<typeof LiveGroup>, "name" | "location" | "deleteProtection">;
  return { ...own, uuid, archived, locations: locationsExceptPrimary(locations, primary) };
}

export async function requestedGroup(
  { name, uuid = "" }: z.output<typeof oneGroup>,
  context: PlatformContext,
): Promise<LiveGroupRecord> {
  const { organization } = context.platform;
  const groups = await organization.groups();
  const id = canonicalUuid(uuid);
  const found = groups.find((group) => group.name === name || group.uuid === id);
  if (!found) throw groupReferenceRefusal(name ?? id ?? uuid, groups, context);
  return found;
}
