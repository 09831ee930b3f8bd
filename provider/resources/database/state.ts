import * as z from "zod";
import { ENGINES, type Engine } from "../../../platform/values/engine";
import type { PlatformContext } from "../../platform";
import type { DeletedDatabaseRecord } from "../deleted-databases";
import type { LiveDatabaseRecord } from "./live-databases";

/** The database from which another was copied. */
export const Parent = z
  .object({
    dbId: z.uuid().describe("DbId of the database that was copied."),
    name: z.string().describe("Name of that database at the time of the copy."),
    branchedAt: z.iso.datetime().describe("Time of the copied data (RFC 3339)."),
  })
  .meta({ typeName: "DatabaseParent" });

/** Returns the addresses of a database with this hostname. */
export const databaseUrls = (hostname: string) => ({
  url: `libsql://${hostname}`,
  httpUrl: `https://${hostname}`,
});

/** Returns the output `parent` of a copied database, or `undefined` if the database is not a copy. */
export const parentOf = ({ parent }: Pick<LiveDatabaseRecord, "parent">) =>
  parent ? { dbId: parent.id, name: parent.name, branchedAt: parent.branched_at } : undefined;

/** Returns the output `engine`. Nothing is known of an engine that the record does not name, or that is new. */
export const engineOf = (record: Pick<LiveDatabaseRecord, "engine"> | undefined): Engine | undefined =>
  ENGINES.find((engine) => engine === record?.engine);

/**
 * Returns the UUID of a database's group. Looks up the group if the database's record does not contain this
 * undocumented UUID.
 */
export const groupIdOf = async (
  { group_id, group }: Pick<LiveDatabaseRecord, "group_id" | "group">,
  { platform: { organization } }: PlatformContext,
): Promise<string | undefined> => group_id ?? (await organization.group(group))?.uuid;

/**
 * Converts a record to what the platform shows of a database. `group` is the group's UUID; the kit replaces it with the
 * program's value if that value identifies the same group.
 */
export async function databaseStateOf(record: LiveDatabaseRecord | DeletedDatabaseRecord, context: PlatformContext) {
  const groupId = await groupIdOf(record, context);
  return {
    name: record.Name,
    dbId: record.DbId,
    hostname: record.Hostname,
    ...databaseUrls(record.Hostname),
    group: groupId ?? record.group,
    groupId: groupId as string,
    groupName: record.group,
    organizationId: await context.platform.organization.id(),
    regions: record.regions,
    primaryRegion: record.primaryRegion,
    parent: "parent" in record ? parentOf(record) : undefined,
    encryptionCipher: "encryption_cipher" in record ? record.encryption_cipher : undefined,
    engine: "engine" in record ? engineOf(record) : undefined,
    beingCopied: undefined as boolean | undefined,
  };
}

/** One entry for each database that this run has created or restored. */
const databaseGroupIds = ({ run }: PlatformContext): Promise<Map<string, string>> =>
  run.once("database-groups", async () => new Map<string, string>());

/** Notes in which group this run has created or restored a database, so that its configuration needs no request. */
export async function noteDatabaseGroupId(id: string, groupId: string, context: PlatformContext): Promise<void> {
  (await databaseGroupIds(context)).set(id, groupId);
}

/** Returns the UUID of the group of a database that this run has created or restored. */
export const recallDatabaseGroupId = async (id: string, context: PlatformContext): Promise<string | undefined> =>
  (await databaseGroupIds(context)).get(id);
