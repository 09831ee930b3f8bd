import * as z from "zod";
import type { Database } from "../../platform/contract/database";
import type { PlatformContext } from "../platform";
import { databaseFields, databaseNames, parentOf, urlsOf } from "../resources/database/state";
import { namedType } from "./results";

const { dbId, hostname, url, httpUrl, groupId, groupName, regions, primaryRegion, encryptionCipher, parent } =
  databaseFields;

export const commonFields = {
  name: z.string().describe("Name of the database."),
  dbId,
  hostname,
  groupId,
  groupName,
  regions,
  primaryRegion,
};

export const LiveDatabase = namedType("LiveDatabase", "A database that is not deleted.", {
  ...commonFields,
  url,
  httpUrl,
  groupId: groupId.optional(),
  deleteProtection: z.boolean().describe("Whether the platform refuses to delete the database."),
  encryptionCipher,
  parent,
  archived: z.boolean().optional().describe("Whether its group is archived."),
});

export async function liveDatabase(
  record: z.output<ReturnType<typeof Database>>,
  { platform: { organization } }: PlatformContext,
): Promise<z.output<typeof LiveDatabase>> {
  const { archived, delete_protection: deleteProtection } = record;
  const group_id = record.group_id ?? (await organization.group(record.group))?.uuid;
  const own = databaseNames.fromWire({ ...record, group_id }) as z.output<z.ZodObject<typeof commonFields>>;
  return { ...own, ...urlsOf(record.Hostname), archived, deleteProtection, ...parentOf(record) };
}
