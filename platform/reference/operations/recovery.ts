import { sql } from "kysely";
import { RECOVERY_WINDOW_MS } from "../../contract/recovery";
import type { AccessScope } from "../credentials/access-scope";
import type { Organization } from "../credentials/membership";
import { refuse } from "../messages";
import { refusalOf } from "../refusal";
import { given } from "../store/given";
import { keyOfCursor, likePatternContaining, type Page, pageOf } from "../store/page";
import type { State } from "../store/schema";
import { changeDatabase, type Database, findDatabase, selectDatabases } from "./database";
import { findGroup, type Group, groupRecord } from "./group";
import { hostnameOf } from "./hostnames";
import { regionsOf } from "./location";
import { checkName } from "./names";
import type { Operations } from "./operation";

export type DeletedGroupRow = Group & { deleted_at: string };

export type DeletedDatabaseRow = Database & { deleted_at: string };

/** The default page size of the lists of deleted databases and groups (wire-facts 4.1, 4.3). */
const DELETED_PAGE = 100;

export const recovery = {
  listDeletedGroups: {
    async handle({ query }, { state, accessScope, now }) {
      const { rows, ...pagination } = await listDeletedGroups(state, accessScope, {
        since: startOfWindow(now),
        limit: query.limit ?? DELETED_PAGE,
        cursor: query.cursor,
      });
      return {
        groups: rows.map(({ id, name, deleted_at, cascade_databases }) => ({
          uuid: id,
          name,
          deleted_at,
          cascade_databases,
        })),
        pagination,
      };
    },
  },

  listDeletedDatabases: {
    async handle({ query }, { state, accessScope, now }) {
      const { rows, ...pagination } = await listDeletedDatabases(state, accessScope, {
        since: startOfWindow(now),
        limit: query.limit ?? DELETED_PAGE,
        cursor: query.cursor,
        search: query.search,
      });
      return { databases: rows.map((row) => deletedDatabaseRecord(row, accessScope.organization)), pagination };
    },
  },

  restoreDatabase: {
    async handle({ params, body }, { state, accessScope, now }) {
      const { organization } = accessScope;
      if (!organization.restore_enabled) throw refuse.recoveryDisabled();
      const deleted = await findDeletedDatabase(state, accessScope, {
        id: params.databaseId,
        since: startOfWindow(now),
      });
      if (!deleted) throw refuse.notRestorable({ kind: "database", id: params.databaseId });

      const restored = { ...deleted, name: body?.name ?? deleted.name };
      await checkRestoredName(restored, state, organization);
      await reviveGroupOf(deleted, state, { organization });
      await storeRecovered(restored, state);
      return { database: deletedDatabaseRecord(restored, organization) };
    },
    audit: ({ answer: { database } }) => ({
      code: "db-restore",
      data: { database: database.Name, id: database.DbId, group: database.group },
    }),
  },

  restoreGroup: {
    /**
     * Restores a group with its databases. If a database cannot be restored, the group and the other databases are
     * restored anyway.
     */
    async handle({ params }, { state, accessScope, now }) {
      const { organization } = accessScope;
      if (!organization.restore_enabled) throw refuse.recoveryDisabled();
      const deleted = await findDeletedGroup(state, accessScope, { id: params.groupId, since: startOfWindow(now) });
      if (!deleted) throw refuse.notRestorable({ kind: "group", id: params.groupId });
      if (await findGroup(state, accessScope, deleted.name)) throw refuse.revivedNameTaken({ group: deleted.name });

      const returning = await listReturningDatabases(state, accessScope, deleted.id);
      await reviveGroup(state, deleted.id);
      const restored: DeletedDatabaseRow[] = [];
      const failures: Record<string, string> = {};
      for (const database of returning) {
        const refusal = await refusalOf(checkRestoredName(database, state, organization));
        if (refusal) failures[database.id] = refusal.message;
        else {
          await storeRecovered(database, state);
          restored.push(database);
        }
      }
      return {
        group: groupRecord(deleted),
        databases: restored.map((row) => deletedDatabaseRecord(row, organization)),
        failures,
      };
    },
    audit: ({ answer: { group, databases } }) => ({
      code: "group-restore",
      data: { group: group.name, uuid: group.uuid, databases: databases.map(({ DbId }) => DbId) },
    }),
  },
} satisfies Partial<Operations>;

/**
 * Returns the start of the recovery window (§8). A database or group deleted at exactly this instant can still be
 * restored.
 */
export const startOfWindow = (now: Date): string => new Date(now.getTime() - RECOVERY_WINDOW_MS).toISOString();

/** Throws unless the database can be restored under its name. */
async function checkRestoredName(
  { name }: DeletedDatabaseRow,
  state: State,
  organization: Organization,
): Promise<void> {
  checkName("database", name, organization);
  // Searches all databases of the organization, even for a group-scoped caller, because names must be unique.
  if (await findDatabase(state, { organization }, name)) throw refuse.restoredNameTaken({ kind: "database", name });
}

const storeRecovered = ({ id, name }: DeletedDatabaseRow, state: State): Promise<void> =>
  changeDatabase(state, id, { name, deleted_at: null, group_deleted_at: null });

/** Restores a group that was deleted with the database (§3). The group's other databases stay deleted. */
async function reviveGroupOf(deleted: DeletedDatabaseRow, state: State, accessScope: AccessScope): Promise<void> {
  const group = await findAnyGroup(state, deleted.group_id);
  if (!group?.deleted_at) return;
  if (!deleted.group_deleted_at) throw refuse.groupDeletedLater({ group: group.name });
  if (await findGroup(state, accessScope, group.name)) throw refuse.revivedNameTaken({ group: group.name });
  await reviveGroup(state, group.id);
}

/** Returns the API representation of a deleted database (§2.1). */
const deletedDatabaseRecord = (row: DeletedDatabaseRow, organization: Organization) => ({
  Name: row.name,
  DbId: row.id,
  Hostname: hostnameOf(row.name, organization, row.location),
  group: row.group_name,
  group_id: row.group_id,
  organization_id: organization.id,
  regions: [...regionsOf(row)],
  primaryRegion: row.location,
  delete_protection: row.delete_protection === 1,
  deleted_at: row.deleted_at,
  ...(row.group_deleted_at !== null && { group_deleted_at: row.group_deleted_at }),
});

const selectDeletedDatabases = (state: State, accessScope: AccessScope, since: string) =>
  selectDatabases(state, accessScope)
    .where("databases.deleted_at", "is not", null)
    .where("databases.deleted_at", ">=", since)
    .$narrowType<{ deleted_at: string }>();

const findDeletedDatabase = (
  state: State,
  accessScope: AccessScope,
  { id, since }: { id: string; since: string },
): Promise<DeletedDatabaseRow | undefined> =>
  selectDeletedDatabases(state, accessScope, since).where("databases.id", "=", id.toLowerCase()).executeTakeFirst();

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

/** Lists the databases that a restore of this deleted group would also restore, ordered by name. */
const listReturningDatabases = (
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

/** Finds a live or deleted group in any organization. */
const findAnyGroup = (state: State, id: string): Promise<Group | undefined> =>
  state.selectFrom("groups").selectAll().where("id", "=", id).executeTakeFirst();

/**
 * Restores the group, but not its databases. From then on, its deleted databases can only be restored one at a time.
 */
async function reviveGroup(state: State, id: string): Promise<void> {
  await state.updateTable("groups").set({ deleted_at: null, cascade_databases: 0 }).where("id", "=", id).execute();
  await state.updateTable("databases").set({ returns_with_group: 0 }).where("group_id", "=", id).execute();
}

const findDeletedGroup = (
  state: State,
  { organization }: AccessScope,
  { id, since }: { id: string; since: string },
): Promise<Group | undefined> =>
  state
    .selectFrom("groups")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("id", "=", id.toLowerCase())
    .where("deleted_at", ">=", since)
    .executeTakeFirst();

export async function listDeletedGroups(
  state: State,
  { organization }: AccessScope,
  { since, search, limit, cursor }: { since: string; search?: string; limit: number; cursor?: string },
): Promise<Page<DeletedGroupRow>> {
  const after = keyOfCursor(cursor, 2);
  const rows = await state
    .selectFrom("groups")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("deleted_at", "is not", null)
    .where("deleted_at", ">=", since)
    .$call(
      given(search, (query, text) => query.where(sql<boolean>`name like ${likePatternContaining(text)} escape '\\'`)),
    )
    .$call(
      given(after, (query, [at = "", id = ""]) =>
        query.where(({ eb, refTuple, tuple }) => eb(refTuple("deleted_at", "id"), "<", tuple(at, id))),
      ),
    )
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .$narrowType<{ deleted_at: string }>()
    .execute();
  return pageOf(rows, limit, (row) => [row.deleted_at, row.id]);
}
