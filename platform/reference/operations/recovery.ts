import { refuse } from "../refusal";
import {
  changeDatabase,
  type DeletedDatabaseRow,
  findDatabase,
  findDeletedDatabase,
  listDeletedDatabaseRows,
} from "../store/databases";
import { findGroup, findGroupById, reviveGroupRow } from "../store/groups";
import type { Organization } from "../store/organizations";
import { paginationOf } from "../store/page";
import type { Reach } from "../store/reach";
import type { State } from "../store/schema";
import type { Handlers } from "./handler";
import { checkName, hostnameOf } from "./names";
import { DELETED_PAGE, startOfWindow } from "./window";

export const recovery: Pick<Handlers, "listDeletedDatabases" | "restoreDatabase"> = {
  async listDeletedDatabases({ query }, { state, reach, now }) {
    const page = await listDeletedDatabaseRows(state, reach, {
      since: startOfWindow(now),
      limit: query.limit ?? DELETED_PAGE,
      cursor: query.cursor,
      search: query.search,
    });
    return {
      databases: page.rows.map((row) => deletedDatabaseRecord(row, reach.organization)),
      pagination: paginationOf(page),
    };
  },

  async restoreDatabase({ params, body }, { state, reach, now }) {
    const { organization } = reach;
    if (!organization.restore_enabled) throw refuse.recoveryDisabled();
    const deleted = await findDeletedDatabase(state, reach, { id: params.databaseId, since: startOfWindow(now) });
    if (!deleted) throw refuse.notRestorable(params.databaseId);

    const name = body?.name ?? deleted.name;
    checkName("database", name, organization);
    // Asked of the whole organization, since a name taken in another group is taken for a group-scoped caller too.
    if (await findDatabase(state, { organization }, name)) throw refuse.restoredNameTaken(name);
    await reviveGroupOf(deleted, state, { organization });
    await changeDatabase(state, deleted.id, { name, deleted_at: null, group_deleted_at: null });
    return { database: deletedDatabaseRecord({ ...deleted, name }, organization) };
  },
};

/** §3: a group that was deleted with the database comes back with it; its other databases stay deleted. */
async function reviveGroupOf(deleted: DeletedDatabaseRow, state: State, reach: Reach): Promise<void> {
  const group = await findGroupById(state, deleted.group_id);
  if (!group?.deleted_at) return;
  if (!deleted.group_deleted_at) throw refuse.groupDeletedLater(group.name);
  if (await findGroup(state, reach, group.name)) throw refuse.revivedNameTaken(group.name);
  await reviveGroupRow(state, group.id);
}

/** §2.1 */
const deletedDatabaseRecord = (row: DeletedDatabaseRow, organization: Organization) => ({
  Name: row.name,
  DbId: row.id,
  Hostname: hostnameOf(row.name, organization, row.location),
  group: row.group_name,
  group_id: row.group_id,
  organization_id: organization.id,
  regions: [row.location],
  primaryRegion: row.location,
  delete_protection: row.delete_protection === 1,
  deleted_at: row.deleted_at,
  ...(row.group_deleted_at !== null && { group_deleted_at: row.group_deleted_at }),
});
