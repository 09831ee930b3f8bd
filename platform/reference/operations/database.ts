import { refuse } from "../refusal";
import {
  addDatabase,
  changeDatabase,
  type Database,
  findDatabase,
  findDatabaseById,
  listLiveDatabases,
  NEW_DATABASE,
} from "../store/databases";
import { findGroup } from "../store/groups";
import type { Organization } from "../store/organizations";
import { paginationOf } from "../store/page";
import type { Handlers, OrganizationWorld } from "./handler";
import { locationsOf } from "./location";
import { checkName, hostnameOf } from "./names";

/** Used when creation names no group (wire-facts 13.4). */
const DEFAULT_GROUP = "default";

export const database: Pick<
  Handlers,
  | "listDatabases"
  | "createDatabase"
  | "retrieveDatabase"
  | "deleteDatabase"
  | "retrieveDatabaseById"
  | "deleteDatabaseById"
> = {
  async listDatabases({ query }, { state, reach }) {
    const page = await listLiveDatabases(state, reach, query);
    return {
      databases: page.rows.map((row) => databaseRecord(row, reach.organization)),
      pagination: paginationOf(page),
    };
  },

  async createDatabase({ body }, { state, reach, ids }) {
    const { organization } = reach;
    checkName("database", body.name, organization);
    const group = await findGroup(state, reach, body.group || DEFAULT_GROUP);
    if (!group) throw refuse.groupOfDatabaseNotFound();
    const created = {
      id: await ids.uuid(state),
      organization_id: organization.id,
      group_id: group.id,
      name: body.name,
      ...NEW_DATABASE,
    };
    if (!(await addDatabase(state, created))) throw refuse.databaseExists(body.name);
    const { name: group_name, location, other_locations } = group;
    const { Name, DbId, Hostname } = databaseRecord(
      { ...created, group_name, location, other_locations },
      organization,
    );
    return { database: { Name, DbId, Hostname } };
  },

  async retrieveDatabase({ params }, { state, reach }) {
    const found = await findDatabase(state, reach, params.databaseName);
    if (!found) throw refuse.databaseNotFound(params.databaseName);
    return { database: databaseRecord(found, reach.organization) };
  },

  async deleteDatabase({ params }, world) {
    const found = await findDatabase(world.state, world.reach, params.databaseName);
    if (!found) throw refuse.databaseNotFound(params.databaseName);
    return deleteFound(found, world);
  },

  async retrieveDatabaseById({ params }, { state, reach }) {
    const found = await findDatabaseById(state, reach, params.databaseId);
    if (!found) throw refuse.databaseIdNotFound(params.databaseId);
    return { database: databaseRecord(found, reach.organization) };
  },

  async deleteDatabaseById({ params }, world) {
    const found = await findDatabaseById(world.state, world.reach, params.databaseId);
    if (!found) throw refuse.databaseIdNotFound(params.databaseId);
    return deleteFound(found, world);
  },
};

async function deleteFound({ id, name, delete_protection }: Database, { state, now }: OrganizationWorld) {
  if (delete_protection) throw refuse.isProtected("database", name);
  await changeDatabase(state, id, { deleted_at: now.toISOString(), group_deleted_at: null });
  return { database: name };
}

/** Everything that some client reads (wire-facts 13.5). */
function databaseRecord(row: Database, organization: Organization) {
  const hostname = hostnameOf(row.name, organization, row.location);
  return {
    Name: row.name,
    DbId: row.id,
    Hostname: hostname,
    hostname,
    group: row.group_name,
    group_id: row.group_id,
    organization_id: organization.id,
    regions: locationsOf(row),
    primaryRegion: row.location,
    type: "logical",
    version: row.version,
    engine: row.engine,
    sleeping: row.sleeping === 1,
    archived: false,
    allow_attach: row.allow_attach === 1,
    block_reads: row.block_reads === 1,
    block_writes: row.block_writes === 1,
    delete_protection: row.delete_protection === 1,
    is_schema: false,
    schema: "",
    parent: null,
  };
}
