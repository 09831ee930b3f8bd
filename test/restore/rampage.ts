import fc from "fast-check";
import type { Seed } from "../../platform/reference/seed/seed";
import type { OpenReferenceApi } from "../../platform/reference/server";
import type { DatabaseRow, GroupRow } from "../../platform/reference/store/schema";
import type { Client } from "../../provider/client/organization-client";
import { clientOf } from "../engine/engine-fixture";
import { column, execute, type Place } from "../reference/sql/sql";

const KINDS = [
  ["deleteDatabase", 6],
  ["deleteGroup", 2],
  ["createDatabase", 5],
  ["createGroup", 2],
  ["renameGroup", 2],
  ["transferGroup", 0.5],
  ["restoreDatabase", 1],
  ["restoreGroup", 1],
  ["protectDatabase", 1],
  ["plan", 0.5],
  ["recovery", 0.5],
  ["write", 4],
] as const;

/** One act. `to` chooses the object and `how` the name or the variant, both modulo what there is. */
export interface Move {
  readonly do: (typeof KINDS)[number][0];
  readonly to: number;
  readonly how: number;
  /** Who does it: an index into `PEOPLE`. */
  readonly who: number;
  /** Seconds since the act before. */
  readonly after: number;
}

export const acts = fc.array(
  fc.record<Move>({
    do: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight: weight * 10, arbitrary: fc.constant(kind) }))),
    to: fc.nat(20),
    how: fc.nat(20),
    who: fc.nat(2),
    after: fc.oneof({ weight: 150, arbitrary: fc.integer({ min: 0, max: 600 }) }, fc.integer({ min: 0, max: 400_000 })),
  }),
  { maxLength: 30, size: "max" },
);

/** Few names, so that they are used again. */
const NAMES = ["orders", "users", "carts", "tenant-1", "tenant-2", "orders-restored"];
const GROUPS = ["default", "shop", "eu"];

const CREATE = "create table if not exists t (x text)";
const insertion = (text: string): string => `insert into t values ('${text}')`;

/** Two organizations. Some databases of "acme" have a row, which only a platform with SQL inserts. */
export const SEED: Seed = {
  users: [{ username: "ada" }, { username: "max" }],
  organizations: ["acme", "globex"].map((slug) => ({
    slug,
    plan: "scaler",
    members: [
      { username: "ada", role: "owner" },
      { username: "max", role: "admin" },
    ],
    groups: (slug === "acme" ? GROUPS : ["home"]).map((name) => ({ name })),
    databases:
      slug === "acme"
        ? NAMES.map((name, index) => ({
            name,
            group: GROUPS[index % 3] ?? "",
            block_writes: index === 1,
            ...(index % 2 === 0 && { sql: `${CREATE};\n${insertion(name)};` }),
          }))
        : [],
  })),
};

/** Two people, who may act in both organizations, and an API token that is scoped to one group. */
const PEOPLE = [{ user: "ada" }, { user: "max" }, { user: "max", isGroupScoped: true }] as const;

export interface PlatformRows {
  readonly groups: readonly GroupRow[];
  readonly databases: readonly DatabaseRow[];
}

/** Reads the records of the organization "acme", without asking the API. */
export const recordsOf = (api: OpenReferenceApi): Promise<PlatformRows> => readRecords(api, "=");

/** Reads the records of all other organizations, to which groups may have been transferred. */
export const recordsElsewhere = (api: OpenReferenceApi): Promise<PlatformRows> => readRecords(api, "!=");

const readRecords = ({ store, organizationId }: OpenReferenceApi, compared: "=" | "!=") =>
  store.read(async (state) => ({
    groups: await state.selectFrom("groups").selectAll().where("organization_id", compared, organizationId).execute(),
    databases: await state
      .selectFrom("databases")
      .selectAll()
      .where("organization_id", compared, organizationId)
      .execute(),
  }));

/** Returns what a client needs to read and write a database. */
async function placeOf({ sql }: OpenReferenceApi, { id, name }: DatabaseRow, client: Client): Promise<Place> {
  if (sql === undefined) throw new Error("the platform has no SQL server");
  const wanted = { organizationSlug: "acme", databaseName: name, query: {}, body: {} };
  return { url: sql.replace("{DbId}", id), token: (await client.createDatabaseToken(wanted)).jwt };
}

/** Returns the rows of a live database, or nothing if it has no table. */
export async function rowsIn(api: OpenReferenceApi, database: DatabaseRow): Promise<readonly unknown[]> {
  const place = await placeOf(api, database, clientOf(api, api.apiToken));
  const tables = await column(place, "select name from sqlite_schema");
  return tables.length === 0 ? [] : column(place, "select x from t order by rowid");
}

export interface Rampage {
  /** The user who deleted each object last, by id. */
  readonly deletedBy: ReadonlyMap<string, string>;
  /** The rows of each database, by DbId. Empty on a platform without SQL. */
  readonly written: ReadonlyMap<string, readonly string[]>;
}

/**
 * Plays the acts. What the platform refuses does not happen.
 *
 * @param earlier The acts before these. Default: the platform has its seed.
 */
export async function rampage(api: OpenReferenceApi, history: readonly Move[], earlier?: Rampage): Promise<Rampage> {
  const clients = await Promise.all(
    PEOPLE.map(async ({ user }) => clientOf(api, await api.token({ user, organization: null }))),
  );
  const deletedBy = new Map(earlier?.deletedBy);
  const written = new Map(earlier?.written ?? seededRows(await recordsOf(api), api));
  const write = async (database: DatabaseRow, client: Client) => {
    const place = await placeOf(api, database, client);
    const rows = written.get(database.id) ?? [];
    const row = `${database.name} ${rows.length}`;
    await execute(place, CREATE);
    await execute(place, insertion(row));
    written.set(database.id, [...rows, row]);
  };
  for (const act of history) {
    await api.advance(act.after);
    const person = PEOPLE[act.who] ?? PEOPLE[0];
    const before = await recordsOf(api);
    const scope = "isGroupScoped" in person ? await groupScope(api, act, person, before) : undefined;
    const [seen, client] = scope ?? [before, clients[act.who] ?? clientOf(api, api.apiToken)];
    await perform(act, seen, { client, api, write }).catch(() => undefined);
    const after = await recordsOf(api);
    const live = new Set([...before.databases, ...before.groups].filter((row) => !row.deleted_at).map(({ id }) => id));
    for (const { id, deleted_at } of [...after.databases, ...after.groups])
      if (deleted_at && live.has(id)) deletedBy.set(id, person.user);
  }
  return { deletedBy, written };
}

/** Returns the rows of the seed, which a platform without SQL does not insert. */
const seededRows = ({ databases }: PlatformRows, { sql }: OpenReferenceApi) =>
  new Map(
    databases.flatMap(({ id, name }) => (sql !== undefined && NAMES.indexOf(name) % 2 === 0 ? [[id, [name]]] : [])),
  );

/** Returns the records that a group-scoped token can reach, and a client with a new one. */
async function groupScope(
  api: OpenReferenceApi,
  { how }: Move,
  { user }: { readonly user: string },
  { groups, databases }: PlatformRows,
): Promise<readonly [PlatformRows, Client] | undefined> {
  const live = groups.filter(({ deleted_at }) => deleted_at === null);
  const group = live[how % live.length];
  if (!group) return undefined;
  const inGroup = databases.filter(({ group_id }) => group_id === group.id);
  return [{ groups: [group], databases: inGroup }, clientOf(api, await api.token({ user, group: group.name }))];
}

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to act on");
  return item;
};

interface Performed {
  readonly client: Client;
  readonly api: OpenReferenceApi;
  /** Writes a row into a database. */
  readonly write: (database: DatabaseRow, client: Client) => Promise<void>;
}

async function perform(
  act: Move,
  { groups, databases }: PlatformRows,
  { client, api, write }: Performed,
): Promise<unknown> {
  const slug = { organizationSlug: "acme" };
  const id = { organizationId: api.organizationId };
  const alive = <Row extends { readonly deleted_at: string | null }>(rows: readonly Row[]) =>
    rows.filter(({ deleted_at }) => deleted_at === null);
  const dead = <Row extends { readonly deleted_at: string | null }>(rows: readonly Row[]) =>
    rows.filter(({ deleted_at }) => deleted_at !== null);
  switch (act.do) {
    case "deleteDatabase":
      return client.deleteDatabase({ ...slug, databaseName: at(alive(databases), act.to).name });
    case "deleteGroup":
      return client.deleteGroup({ ...slug, groupName: at(alive(groups), act.to).name });
    case "createDatabase":
      return client.createDatabase({
        ...slug,
        body: { name: at(NAMES, act.how), group: at(alive(groups), act.to).name },
      });
    case "createGroup":
      return client.createGroup({ ...slug, body: { name: at(GROUPS, act.how), location: "aws-us-east-1" } });
    case "renameGroup":
      return client.renameGroup({
        ...slug,
        groupName: at(alive(groups), act.to).name,
        body: { name: at([...GROUPS, "later"], act.how) },
      });
    case "transferGroup":
      return client.transferGroup({
        ...slug,
        groupName: at(alive(groups), act.to).name,
        body: { organization: "globex" },
      });
    case "restoreDatabase": {
      const name = act.how % 4 === 0 ? { body: { name: `${at(NAMES, act.how)}-2` } } : {};
      return client.restoreDatabase({ ...id, databaseId: at(dead(databases), act.to).id, ...name });
    }
    case "restoreGroup":
      return client.restoreGroup({ ...id, groupId: at(dead(groups), act.to).id });
    case "protectDatabase":
      return client.updateDatabaseConfiguration({
        ...slug,
        databaseName: at(alive(databases), act.to).name,
        body: { delete_protection: act.how % 2 === 0 },
      });
    case "plan":
      return api.plan(act.how % 5 === 0 ? "starter" : "scaler");
    case "recovery":
      return client.updateOrganization({ ...slug, body: { restore_enabled: act.how % 8 !== 0 } });
    case "write":
      return write(at(alive(databases), act.to), client);
  }
}
