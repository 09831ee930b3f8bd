import { sql } from "kysely";
import type { AccessScope } from "./access-scope";
import { checkedColumns } from "./columns";
import { UNCONFIGURED_COLUMNS } from "./configuration";
import { given } from "./given";
import { NEWEST_VERSION } from "./groups";
import { keyOfCursor, likePatternContaining, type Page, pageOf } from "./page";
import type { DatabaseRow, Flag, State } from "./schema";

export interface Database extends DatabaseRow {
  readonly group_name: string;
  readonly location: string;
  readonly other_locations: string;
  readonly archived: Flag;
}

export const NEW_DATABASE = {
  ...UNCONFIGURED_COLUMNS,
  deleted_at: null,
  group_deleted_at: null,
  returns_with_group: 0,
  added_locations: "[]",
  created_at: null,
  parent_id: null,
  parent_name: null,
  branched_at: null,
  storage_bytes: 4096,
  version: NEWEST_VERSION,
  engine: "libsql",
  encryption_cipher: null,
  sleeping: 0,
} as const satisfies Partial<DatabaseRow>;

export type DeletedDatabaseRow = Database & { deleted_at: string };

/** Begins a query for databases. Joins the groups, because `Database` contains columns of its group. */
const selectDatabasesWithGroups = (state: State) =>
  state
    .selectFrom("databases")
    .innerJoin("groups", "groups.id", "databases.group_id")
    .selectAll("databases")
    .select(["groups.name as group_name", "groups.location", "groups.other_locations", "groups.archived"]);

const selectDatabases = (state: State, { organization, groupId }: AccessScope) =>
  selectDatabasesWithGroups(state)
    .where("databases.organization_id", "=", organization.id)
    .$call(given(groupId, (query, value) => query.where("databases.group_id", "=", value)));

export const selectLiveDatabases = (state: State, accessScope: AccessScope) =>
  selectDatabases(state, accessScope).where("databases.deleted_at", "is", null);

const selectDeletedDatabases = (state: State, accessScope: AccessScope, since: string) =>
  selectDatabases(state, accessScope)
    .where("databases.deleted_at", "is not", null)
    .where("databases.deleted_at", ">=", since)
    .$narrowType<{ deleted_at: string }>();

export const findDatabase = (state: State, accessScope: AccessScope, name: string): Promise<Database | undefined> =>
  selectLiveDatabases(state, accessScope).where("databases.name", "=", name).executeTakeFirst();

export const findDatabaseById = (state: State, accessScope: AccessScope, id: string): Promise<Database | undefined> =>
  selectLiveDatabases(state, accessScope).where("databases.id", "=", id.toLowerCase()).executeTakeFirst();

export const findDeletedDatabase = (
  state: State,
  accessScope: AccessScope,
  { id, since }: { id: string; since: string },
): Promise<DeletedDatabaseRow | undefined> =>
  selectDeletedDatabases(state, accessScope, since).where("databases.id", "=", id.toLowerCase()).executeTakeFirst();

interface ListOptions {
  readonly group?: string;
  readonly groupId?: string;
  readonly parent?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export async function listLiveDatabases(
  state: State,
  accessScope: AccessScope,
  { group, groupId, parent, limit, cursor }: ListOptions,
): Promise<Page<Database>> {
  const rows = await selectLiveDatabases(state, accessScope)
    // Looks up the group first, so that only the databases of the group are read.
    .$call(
      given(group, (query, name) =>
        query.where("databases.group_id", "=", ({ selectFrom }) =>
          selectFrom("groups")
            .select("id")
            .where("organization_id", "=", accessScope.organization.id)
            .where("deleted_at", "is", null)
            .where("name", "=", name),
        ),
      ),
    )
    .$call(given(groupId, (query, value) => query.where("databases.group_id", "=", value.toLowerCase())))
    .$call(given(parent, (query, value) => query.where("databases.parent_id", "=", value.toLowerCase())))
    .$call(given(keyOfCursor(cursor, 1), (query, [after = ""]) => query.where("databases.name", ">", after)))
    .orderBy("databases.name")
    .$call(given(limit, (query, value) => query.limit(value + 1)))
    .execute();
  return pageOf(rows, limit, (row) => [row.name]);
}

export async function listDeletedDatabases(
  state: State,
  accessScope: AccessScope,
  { since, search, limit, cursor }: { since: string; search?: string; limit: number; cursor?: string },
): Promise<Page<DeletedDatabaseRow>> {
  const after = keyOfCursor(cursor, 2);
  const rows = await selectDeletedDatabases(state, accessScope, since)
    .$call(
      given(search, (query, text) =>
        query.where(sql<boolean>`databases.name like ${likePatternContaining(text)} escape '\\'`),
      ),
    )
    .$call(
      given(after, (query, [at = "", id = ""]) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("databases.deleted_at", "databases.id"), "<", tuple(at, id)),
        ),
      ),
    )
    .orderBy("databases.deleted_at", "desc")
    .orderBy("databases.id", "desc")
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.deleted_at, row.id]);
}

export async function addDatabase(state: State, database: DatabaseRow): Promise<boolean> {
  const added = await state
    .insertInto("databases")
    .values(checkedColumns(database))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

export async function changeDatabase(
  state: State,
  id: string,
  changes: Partial<Omit<DatabaseRow, "id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("databases").set(checkedColumns(changes, { id })).where("id", "=", id).execute();
}

/** Lists the databases that a restore of this deleted group would also restore, ordered by name. */
export const listReturningDatabases = (
  state: State,
  accessScope: AccessScope,
  groupId: string,
): Promise<DeletedDatabaseRow[]> =>
  selectDatabases(state, accessScope)
    .where("databases.group_id", "=", groupId)
    .where("databases.returns_with_group", "=", 1)
    .orderBy("databases.name")
    .$narrowType<{ deleted_at: string }>()
    .execute();

export async function databaseNamesIn(state: State, groupId: string): Promise<string[]> {
  const rows = await state
    .selectFrom("databases")
    .select("name")
    .where("group_id", "=", groupId)
    .where("deleted_at", "is", null)
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

export async function protectedDatabaseIn(state: State, groupId: string): Promise<string | undefined> {
  const row = await state
    .selectFrom("databases")
    .select("name")
    .where("group_id", "=", groupId)
    .where("deleted_at", "is", null)
    .where("delete_protection", "=", 1)
    .orderBy("name")
    .executeTakeFirst();
  return row?.name;
}

// Databases in any organization

/** A database with the slug of its organization, which is part of the database's hostname. */
export interface LocatedDatabase extends Database {
  readonly organization_slug: string;
}

/** Finds the record of a live or deleted database in any organization. */
export const findAnyDatabase = (state: State, id: string): Promise<DatabaseRow | undefined> =>
  state.selectFrom("databases").selectAll().where("id", "=", id.toLowerCase()).executeTakeFirst();

const selectLocatedDatabases = (state: State) =>
  selectDatabasesWithGroups(state)
    .innerJoin("organizations", "organizations.id", "databases.organization_id")
    .select("organizations.slug as organization_slug");

/** Finds a live or deleted database in any organization, together with the organization's slug. */
export const findLocatedDatabase = (state: State, id: string): Promise<LocatedDatabase | undefined> =>
  selectLocatedDatabases(state).where("databases.id", "=", id.toLowerCase()).executeTakeFirst();

/** Lists the live databases with the hostname label `<database>-<organization>`. */
export const listDatabasesLabelled = (state: State, label: string): Promise<LocatedDatabase[]> =>
  selectLocatedDatabases(state)
    .where("databases.deleted_at", "is", null)
    .where(sql<string>`databases.name || '-' || organizations.slug`, "=", label)
    .execute();
