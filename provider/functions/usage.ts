import * as z from "zod";
import type { DatabaseUsageRecord } from "../../platform/contract/usage";
import { explainAccess } from "../permissions/permissions";
import { type PlatformContext, platformFunction } from "../platform";
import { renaming } from "../renaming";
import { database } from "../resources/database/database";
import type { LiveDatabaseRecord } from "../resources/database/live-databases";
import { databasesInGroup } from "../resources/group/live-groups";
import { period, periodProblem } from "./arguments";
import { commonFields, oneDatabase, requestedDatabase, whichDatabase } from "./databases";
import { LiveGroup, oneGroup, requestedGroup, whichGroup } from "./groups";
import { namedResultType } from "./results";

/** Usage figures that several functions return. */
const usageFields = {
  rowsRead: z.number().describe("Number of rows read."),
  rowsWritten: z.number().describe("Number of rows written."),
  storageBytes: z.number().describe("Size of the stored data of all instances, in bytes."),
  bytesSynced: z.number().describe("Amount of data synced to embedded replicas, in bytes."),
};

type Usage = z.output<z.ZodObject<typeof usageFields>>;

const DatabaseUsage = namedResultType("DatabaseUsage", "The usage of one database, over all its instances.", {
  dbId: database.state.shape.dbId,
  ...usageFields,
});

type DatabaseUsage = z.output<typeof DatabaseUsage>;

const names = renaming({
  rowsRead: "rows_read",
  rowsWritten: "rows_written",
  storageBytes: "storage_bytes",
  bytesSynced: "bytes_synced",
});

const usageFromWire = (record: object): Usage => names.fromWire(record) as Usage;

const usageOfDatabase = ({ uuid, total, usage = total }: DatabaseUsageRecord): DatabaseUsage => ({
  dbId: uuid,
  ...usageFromWire(usage ?? {}),
});

export const getDatabaseUsage = platformFunction({
  name: "getDatabaseUsage",
  reads: ["retrieveDatabase", "retrieveDatabaseById", "retrieveDatabaseUsage"],
  description: "The usage of one database in a period, by default in the current month so far.",
  args: oneDatabase.extend({
    since: period.since.describe("Beginning of the period (RFC 3339). Default: the first day of the current month."),
    until: period.until.describe("End of the period (RFC 3339). Default: now."),
  }),
  result: DatabaseUsage.extend({ name: commonFields.name }),
  validate: (args) => whichDatabase(args) ?? periodProblem(args),

  async read({ since: from, until: to, ...wanted }, context) {
    const { api } = context.platform;
    const { Name } = await requestedDatabase(wanted, context);
    const { database } = await api.retrieveDatabaseUsage({ databaseName: Name, query: { from, to } });
    return { name: Name, ...usageOfDatabase(database) };
  },
});

export const getGroupUsage = platformFunction({
  name: "getGroupUsage",
  reads: ["listGroups", "listDatabases", "retrieveDatabaseUsage"],
  description:
    "The usage of a group: the sum over its databases, in the period that the platform currently counts. A group-scoped token takes one request for each database.",
  args: oneGroup,
  result: z.object({
    uuid: LiveGroup.shape.uuid,
    name: LiveGroup.shape.name,
    ...usageFields,
    databases: z.array(DatabaseUsage).describe("The usage of each database of the group."),
  }),
  validate: whichGroup,

  async read(wanted, context) {
    const { uuid, name } = await requestedGroup(wanted, context);
    const databases = await usageOfEach(await databasesInGroup(name, context), context);
    return { uuid, name, ...totalUsage(databases), databases };
  },
});

/**
 * Reads the usage of the given databases. Sends a single request if the credential may read the usage of the
 * organization, and otherwise one request for each database.
 */
async function usageOfEach(
  databases: readonly LiveDatabaseRecord[],
  { platform: { api, credential } }: PlatformContext,
) {
  if (credential.groupId === undefined) {
    const ids = new Set(databases.map(({ DbId }) => DbId));
    const { organization: used } = await api.retrieveOrganizationUsage();
    return used.databases.filter(({ uuid }) => ids.has(uuid)).map(usageOfDatabase);
  }
  const all = await Promise.all(databases.map(({ Name }) => api.retrieveDatabaseUsage({ databaseName: Name })));
  return all.map(({ database }) => usageOfDatabase(database));
}

export const getOrganizationUsage = platformFunction({
  name: "getOrganizationUsage",
  reads: ["retrieveOrganizationUsage"],
  description:
    "The usage of the organization and of each of its databases, in the period that the platform currently counts.",
  args: z.object({}),
  result: z.object({
    ...usageFields,
    databaseCount: z.int().describe("Number of databases."),
    groupCount: z.int().describe("Number of groups."),
    locationCount: z.int().describe("Number of locations in which the organization has groups."),
    databases: z.array(DatabaseUsage).describe("The usage of each database."),
  }),

  async read(_args, context) {
    const { api } = context.platform;
    const answer = await explainAccess("retrieveOrganizationUsage", context, () => api.retrieveOrganizationUsage());
    const { usage, databases } = answer.organization;
    return {
      ...usageFromWire(usage),
      databaseCount: usage.databases,
      groupCount: usage.groups,
      locationCount: usage.locations,
      databases: databases.map(usageOfDatabase),
    };
  },
});

function totalUsage(all: readonly Usage[]): Usage {
  const sum = (name: keyof Usage) => all.reduce((total, one) => total + one[name], 0);
  return {
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    storageBytes: sum("storageBytes"),
    bytesSynced: sum("bytesSynced"),
  };
}
