import * as z from "zod";
import { type PlatformContext, platformFunction } from "../platform";
import type { LiveRecord } from "../resources/database/records";
import { databasesIn } from "../resources/group/records";
import { findGroup, oneGroup, whichGroup } from "./find-group";
import { LiveGroup } from "./live-group";
import { DatabaseUsage, sumOf, usageFields, usageOfDatabase } from "./usage";

const { uuid, name } = LiveGroup.shape;

export const getGroupUsage = platformFunction({
  name: "getGroupUsage",
  reads: ["listGroups", "listDatabases", "retrieveDatabaseUsage"],
  description:
    "The usage of a group: the sum over its databases, in the period that the platform currently counts. A group-scoped token takes one request for each database.",
  args: oneGroup,
  result: z.object({
    uuid,
    name,
    ...usageFields,
    databases: z.array(DatabaseUsage).describe("The usage of each database of the group."),
  }),
  validate: whichGroup,

  async read(wanted, context) {
    const { uuid, name } = await findGroup(wanted, context);
    const databases = await usageOfEach(await databasesIn(name, context), context);
    return { uuid, name, ...sumOf(databases), databases };
  },
});

/**
 * Reads the usage of the given databases. Sends a single request if the credential may read the usage of the
 * organization, and otherwise one request for each database.
 */
async function usageOfEach(databases: readonly LiveRecord[], { platform: { api, credential } }: PlatformContext) {
  if (credential.groupId === undefined) {
    const ids = new Set(databases.map(({ DbId }) => DbId));
    const { organization: used } = await api.retrieveOrganizationUsage();
    return used.databases.filter(({ uuid }) => ids.has(uuid)).map(usageOfDatabase);
  }
  const all = await Promise.all(databases.map(({ Name }) => api.retrieveDatabaseUsage({ databaseName: Name })));
  return all.map(({ database }) => usageOfDatabase(database));
}
