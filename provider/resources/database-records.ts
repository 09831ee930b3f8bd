import type { z } from "zod";
import { eachPage, readPages } from "../../platform/client/pages";
import { unlessAbsent } from "../../platform/client/refusal";
import type { Database as DatabaseRecord } from "../../platform/contract/database";
import type { Platform } from "./platform";

const LONGEST_SNAPSHOT = 5000;

/** What the platform tells of a living database, as far as it is read. */
export type LiveRecord = Pick<
  z.output<typeof DatabaseRecord>,
  "Name" | "DbId" | "Hostname" | "group" | "group_id" | "regions" | "primaryRegion" | "parent"
>;

/** The documented record of a database lacks the UUID of its group. */
export const groupIdOf = async (
  { group_id, group }: Pick<LiveRecord, "group_id" | "group">,
  { organization, client }: Platform,
): Promise<string | undefined> => group_id ?? (await organization.group(group, client))?.uuid;

/** Every living database, asked for page by page. */
export async function* everyDatabase({ client, organization }: Platform): AsyncGenerator<LiveRecord> {
  const fetch = (query: object) => client.listDatabases({ organizationSlug: organization.slug, query });
  for await (const { databases } of eachPage(fetch)) yield* databases;
}

/** The same at once, unless there are too many. */
const listDatabases = ({ client, organization }: Platform) =>
  readPages(
    (query) => client.listDatabases({ organizationSlug: organization.slug, query }),
    ({ databases }) => databases,
    LONGEST_SNAPSHOT,
  );

/** As a list of a moment ago shows them. */
export const recentlyListed = (platform: Platform) =>
  platform.snapshot.list("databases", async () => {
    const { items, whole } = await listDatabases(platform);
    return {
      byId: new Map(items.map((record) => [record.DbId, record])),
      names: new Set(items.map(({ Name }) => Name)),
      whole,
    };
  });

/** Whether nothing had the name a moment ago, and this run has given it to nothing since. */
export async function isFree(name: string, platform: Platform): Promise<boolean> {
  const { names, whole } = (await recentlyListed(platform)).items;
  return whole && !names.has(name) && ![...platform.names.values()].includes(name);
}

/** `undefined` where no living database has that DbId. */
export async function retrieve(id: string, { client, organization }: Platform) {
  const organizationId = await organization.id(client);
  const answer = await client.retrieveDatabaseById({ organizationId, databaseId: id }).catch(unlessAbsent);
  return answer?.database;
}
