import { sql } from "kysely";
import type { AccessScope } from "./access-scope";
import { checkedColumns } from "./columns";
import { given } from "./given";
import { keyOfCursor, likePatternContaining, type Page, pageOf } from "./page";
import type { GroupRow, State } from "./schema";

export type Group = GroupRow;

/** The latest version of the SQL engine. New and updated groups and databases get this version. */
export const NEWEST_VERSION = "v0.23.7";

export const NEW_GROUP = {
  other_locations: "[]",
  delete_protection: 0,
  deleted_at: null,
  cascade_databases: 0,
  archived: 0,
  version: NEWEST_VERSION,
} as const satisfies Partial<Group>;

export type DeletedGroupRow = Group & { deleted_at: string };

export const selectLiveGroups = (state: State, { organization, groupId }: AccessScope) =>
  state
    .selectFrom("groups")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("deleted_at", "is", null)
    .$call(given(groupId, (query, value) => query.where("id", "=", value)));

export const listLiveGroups = (state: State, accessScope: AccessScope): Promise<Group[]> =>
  selectLiveGroups(state, accessScope).orderBy("name").execute();

export const findGroup = (state: State, accessScope: AccessScope, name: string): Promise<Group | undefined> =>
  selectLiveGroups(state, accessScope).where("name", "=", name).executeTakeFirst();

export const findGroupById = (state: State, accessScope: AccessScope, id: string): Promise<Group | undefined> =>
  selectLiveGroups(state, accessScope).where("id", "=", id.toLowerCase()).executeTakeFirst();

/** Finds a live or deleted group in any organization. */
export const findAnyGroup = (state: State, id: string): Promise<Group | undefined> =>
  state.selectFrom("groups").selectAll().where("id", "=", id).executeTakeFirst();

export async function addGroup(state: State, group: Group): Promise<boolean> {
  const added = await state
    .insertInto("groups")
    .values(checkedColumns(group))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Deletes a group together with its databases, and permanently revokes its tokens (§3). */
export async function deleteGroup(state: State, id: string, at: string): Promise<void> {
  const databases = await state
    .updateTable("databases")
    .set(checkedColumns({ deleted_at: at, group_deleted_at: at, returns_with_group: 1 }))
    .where("group_id", "=", id)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  await state
    .updateTable("groups")
    .set(checkedColumns({ deleted_at: at, cascade_databases: databases.length }, { id }))
    .where("id", "=", id)
    .execute();
  await revokeTokensOfGroup(state, id);
}

const revokeTokensOfGroup = (state: State, id: string) =>
  state.deleteFrom("tokens").where("group_id", "=", id).execute();

/**
 * Restores the group, but not its databases. From then on, its deleted databases can only be restored one at a time.
 */
export async function reviveGroup(state: State, id: string): Promise<void> {
  await state.updateTable("groups").set({ deleted_at: null, cascade_databases: 0 }).where("id", "=", id).execute();
  await state.updateTable("databases").set({ returns_with_group: 0 }).where("group_id", "=", id).execute();
}

/**
 * Moves a group with all its live and deleted databases to another organization, and permanently revokes its tokens
 * (§3).
 */
export async function moveGroup(state: State, id: string, organizationId: string): Promise<void> {
  await state
    .updateTable("groups")
    .set(checkedColumns({ organization_id: organizationId }))
    .where("id", "=", id)
    .execute();
  await state.updateTable("databases").set({ organization_id: organizationId }).where("group_id", "=", id).execute();
  await revokeTokensOfGroup(state, id);
}

/**
 * Updates the engine version of the group and of all its databases, including deleted databases, because a restore does
 * not change the version.
 */
export async function upgradeGroup(state: State, id: string): Promise<void> {
  await state.updateTable("groups").set({ version: NEWEST_VERSION }).where("id", "=", id).execute();
  await state.updateTable("databases").set({ version: NEWEST_VERSION }).where("group_id", "=", id).execute();
}

export async function changeGroup(
  state: State,
  id: string,
  changes: Partial<Omit<Group, "id" | "organization_id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("groups").set(checkedColumns(changes, { id })).where("id", "=", id).execute();
}

export const findDeletedGroup = (
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

export const locationsOf = ({
  location,
  other_locations,
}: Pick<GroupRow, "location" | "other_locations">): string[] => [
  location,
  ...(JSON.parse(other_locations) as string[]),
];

export const otherLocationsOf = (group: Group): string[] => locationsOf(group).slice(1);
