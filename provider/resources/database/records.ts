import type { z } from "zod";
import { LazyPagedList } from "../../../platform/client/cache/lazy-paged-list";
import { eachPage } from "../../../platform/client/pages";
import { unlessAbsent } from "../../../platform/client/refusal";
import type { Database as DatabaseRecord } from "../../../platform/contract/database";
import type { ResourceContext } from "../../resource/context";

/** What the platform tells of a living database, as far as it is read. */
export type LiveRecord = Pick<
  z.output<typeof DatabaseRecord>,
  "Name" | "DbId" | "Hostname" | "group" | "group_id" | "regions" | "primaryRegion" | "parent"
>;

/** The documented record of a database lacks the UUID of its group. */
export const groupIdOf = async (
  { group_id, group }: Pick<LiveRecord, "group_id" | "group">,
  { organization, client }: ResourceContext,
): Promise<string | undefined> => group_id ?? (await organization.group(group, client))?.uuid;

const pagesOf = ({ client, organization }: ResourceContext) =>
  eachPage((query) => client.listDatabases({ organizationSlug: organization.slug, query }));

/** Every living database, asked for page by page. */
export async function* everyDatabase(platform: ResourceContext): AsyncGenerator<LiveRecord> {
  for await (const { databases } of pagesOf(platform)) yield* databases;
}

/** The same as a list of a moment ago shows them, as far as it has been read. */
export const recentlyListed = (platform: ResourceContext) => platform.lists.recent("databases", () => read(platform));

async function read(platform: ResourceContext) {
  const byId = new Map<string, LiveRecord>();
  const names = new Set<string>();
  const list = await LazyPagedList.read(pagesOf(platform), ({ databases }) => {
    for (const record of databases) byId.set(record.DbId, record);
    for (const { Name } of databases) names.add(Name);
  });
  return { byId, names, list };
}

/** All of them by DbId, as they were a moment ago; `undefined` where there are too many to ask for them. */
export async function recentIds(platform: ResourceContext): Promise<ReadonlyMap<string, LiveRecord> | undefined> {
  const { byId, list } = (await recentlyListed(platform)).items;
  await list.look(() => undefined);
  return list.isWhole ? byId : undefined;
}

/** Whether nothing had the name a moment ago, or when this run first asked, and this run has given it to nothing since. */
export async function isFree(name: string, platform: ResourceContext, from: "snapshot" | "run"): Promise<boolean> {
  const { names, list } =
    from === "run" ? await platform.once("databases", () => read(platform)) : (await recentlyListed(platform)).items;
  const isTaken = await list.look(() => names.has(name) || undefined);
  return !isTaken && list.isWhole && ![...platform.names.values()].includes(name);
}

/** `undefined` where no living database has that DbId. */
export async function retrieve(id: string, { client, organization }: ResourceContext) {
  const organizationId = await organization.id(client);
  const answer = await client.retrieveDatabaseById({ organizationId, databaseId: id }).catch(unlessAbsent);
  return answer?.database;
}
