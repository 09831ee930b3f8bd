import type * as z from "zod";
import { unlessAbsent, unlessRefused } from "../../../kit/refusal";
import type { Age } from "../../../kit/results";
import type { DatabaseSchema as DatabaseRecord } from "../../../platform/contract/database";
import { LazyPagedList } from "../../client/cache/lazy-paged-list";
import { eachPage, type ListPage } from "../../client/pages";
import type { PlatformContext } from "../../platform";

type WholeRecord = z.output<ReturnType<typeof DatabaseRecord>>;

export type LiveDatabaseRecord = Pick<
  WholeRecord,
  | "Name"
  | "DbId"
  | "Hostname"
  | "group"
  | "group_id"
  | "regions"
  | "primaryRegion"
  | "encryption_cipher"
  | "engine"
  | "parent"
  | "block_writes"
>;

/** A record as lists show it. Which settings it has depends on the server and on the list. */
interface ListedRecord extends LiveDatabaseRecord {
  readonly allow_rules_config?: object | null;
}

const liveDatabasePages = ({ platform: { api } }: PlatformContext) => eachPage((query) => api.listDatabases({ query }));

const liveDatabasePagesWithRules = ({ platform: { api } }: PlatformContext) =>
  eachPage((query) => api.listDatabasesById({ query }));

export async function* eachLiveDatabase(context: PlatformContext): AsyncGenerator<WholeRecord> {
  for await (const { databases } of liveDatabasePages(context)) yield* databases;
}

/** Lists the live copies of a database. A server may not know the filter. */
export async function* eachCopyOf(id: string, { platform: { api } }: PlatformContext): AsyncGenerator<WholeRecord> {
  for await (const { databases } of eachPage((query) => api.listDatabases({ query: { ...query, parent: id } })))
    yield* databases.filter(({ parent }) => parent?.id === id);
}

/**
 * Returns the live databases from a list that may be a few seconds old. The list contains only the pages that have
 * been read so far.
 */
export const recentlyListedDatabases = (context: PlatformContext) =>
  context.platform.lists.get("databases", () => readDatabaseList(liveDatabasePages(context)), "seconds");

/** Returns the same from the list that also shows which addresses may connect. */
export const recentlyListedDatabasesWithRules = (context: PlatformContext) =>
  context.platform.lists.get("databasesById", () => readDatabaseList(liveDatabasePagesWithRules(context)), "seconds");

interface Listing extends ListPage {
  readonly databases: readonly ListedRecord[];
}

async function readDatabaseList(pages: AsyncGenerator<Listing>) {
  const byId = new Map<string, ListedRecord>();
  const names = new Set<string>();
  const list = await LazyPagedList.read(pages, ({ databases }) => {
    for (const record of databases) byId.set(record.DbId, record);
    for (const { Name } of databases) names.add(Name);
  });
  return { byId, names, list };
}

/**
 * Returns all live databases by DbId, from a list that may be a few seconds old. Returns `undefined` if there are too
 * many databases to list.
 */
export async function liveDatabasesById(
  context: PlatformContext,
): Promise<ReadonlyMap<string, LiveDatabaseRecord> | undefined> {
  const { byId, list } = (await recentlyListedDatabases(context)).items;
  await list.look(() => undefined);
  return list.isWhole ? byId : undefined;
}

/** Returns whether a name is free: no listed database has the name, and this update has not given it to any database. */
export async function isDatabaseNameFree(name: string, context: PlatformContext, maxAge: Age): Promise<boolean> {
  const listed =
    maxAge === "run"
      ? await context.run.once("databases", () => readDatabaseList(liveDatabasePages(context)))
      : (await recentlyListedDatabases(context)).items;
  return (await isMissingFrom(listed, name)) && context.run.names.idsOf("Database", name).length === 0;
}

/** Returns whether a list of the last seconds shows the name. Reads no further page. */
export const isListedAs = async (name: string, context: PlatformContext): Promise<boolean> =>
  (await recentlyListedDatabases(context)).items.names.has(name);

async function isMissingFrom(
  { names, list }: Awaited<ReturnType<typeof readDatabaseList>>,
  name: string,
): Promise<boolean> {
  const isTaken = await list.look(() => names.has(name) || undefined);
  return !isTaken && list.isWhole;
}

/** Returns the live database with this name. If `maxAge` is given, a list may prove that there is none. */
export async function retrieveLiveDatabaseNamed(name: string, context: PlatformContext, maxAge?: "seconds") {
  const { api } = context.platform;
  // A failure to load the list is ignored, because the list only saves requests.
  const recent = maxAge && (await recentlyListedDatabases(context).catch(unlessRefused));
  if (recent && (await isMissingFrom(recent.items, name))) return undefined;
  const found = await api.retrieveDatabase({ databaseName: name }).catch(unlessAbsent);
  return found?.database;
}

export async function retrieveLiveDatabase(id: string, { platform: { api } }: PlatformContext) {
  const answer = await api.retrieveDatabaseById({ databaseId: id }).catch(unlessAbsent);
  return answer?.database;
}
