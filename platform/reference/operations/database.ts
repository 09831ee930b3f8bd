import { refuse } from "../messages";
import { configurationOf } from "../store/configuration";
import { changeDatabase, type Database, findDatabase, findDatabaseById, listLiveDatabases } from "../store/databases";
import type { Organization } from "../store/organizations";
import type { Handlers, OrganizationContext } from "./handler";
import { regionsOf } from "./location";
import { hostnameOf } from "./names";
import { paginationOf } from "./pagination";

/** Every database has this type, because schema databases are not supported. */
const TYPE = "logical";

export const database: Pick<
  Handlers,
  | "listDatabases"
  | "listDatabasesById"
  | "retrieveDatabase"
  | "deleteDatabase"
  | "retrieveDatabaseById"
  | "deleteDatabaseById"
> = {
  async listDatabases({ query }, { state, accessScope }) {
    if (query.schema || (query.type ?? TYPE) !== TYPE) return { databases: [], pagination: {} };
    const page = await listLiveDatabases(state, accessScope, query);
    return {
      databases: page.rows.map((row) => databaseRecord(row, accessScope.organization)),
      pagination: paginationOf(page),
    };
  },

  async listDatabasesById({ query }, { state, accessScope }) {
    const { group_id: groupId, parent_db_id: parent, ...rest } = query;
    const page = await listLiveDatabases(state, accessScope, { ...rest, groupId, parent });
    return {
      databases: page.rows.map((row) => databaseRecordById(row, accessScope.organization)),
      pagination: paginationOf(page),
    };
  },

  async retrieveDatabase({ params }, context) {
    return {
      database: databaseRecord(await databaseNamed(params.databaseName, context), context.accessScope.organization),
    };
  },

  async deleteDatabase({ params }, context) {
    return deleteFound(await databaseNamed(params.databaseName, context), context);
  },

  async retrieveDatabaseById({ params }, context) {
    return {
      database: databaseRecordById(await databaseWithId(params.databaseId, context), context.accessScope.organization),
    };
  },

  async deleteDatabaseById({ params }, context) {
    return deleteFound(await databaseWithId(params.databaseId, context), context);
  },
};

/**
 * Returns the live database with this name, if the caller can access it.
 *
 * @param refusal Returns the error to throw if there is no such database.
 */
export async function databaseNamed(
  name: string,
  { state, accessScope }: OrganizationContext,
  refusal: (name: string) => Error = refuse.databaseNotFound,
): Promise<Database> {
  const found = await findDatabase(state, accessScope, name);
  if (!found) throw refusal(name);
  return found;
}

export async function databaseWithId(id: string, { state, accessScope }: OrganizationContext): Promise<Database> {
  const found = await findDatabaseById(state, accessScope, id);
  if (!found) throw refuse.databaseIdNotFound(id);
  return found;
}

async function deleteFound({ id, name, delete_protection }: Database, { state, now }: OrganizationContext) {
  if (delete_protection) throw refuse.deleteProtected("database", name);
  await changeDatabase(state, id, { deleted_at: now.toISOString(), group_deleted_at: null });
  return { database: name };
}

/** Returns the record of a database, with every field that clients read (wire-facts 13.5). */
function databaseRecord(row: Database, organization: Organization, configuration = configurationOf(row)) {
  const { size_limit: _, allowed_ips: __, allowed_aws_vpc_ids: ___, ...flags } = configuration;
  const hostname = hostnameOf(row.name, organization, row.location);
  return {
    Name: row.name,
    DbId: row.id,
    Hostname: hostname,
    hostname,
    group: row.group_name,
    group_id: row.group_id,
    organization_id: organization.id,
    regions: [...regionsOf(row)],
    primaryRegion: row.location,
    type: TYPE,
    version: row.version,
    engine: row.engine,
    database_type: row.engine,
    sleeping: row.sleeping === 1,
    archived: row.archived === 1,
    ...flags,
    is_schema: false,
    schema: "",
    ...(row.encryption_cipher !== null && { encryption_cipher: row.encryption_cipher }),
    parent: parentOf(row),
  };
}

/** Returns the `/v3` representation of a database, which includes its allow rules (wire-facts 3.7). */
function databaseRecordById(row: Database, organization: Organization) {
  const configuration = configurationOf(row);
  const { allowed_ips, allowed_aws_vpc_ids } = configuration;
  return {
    ...databaseRecord(row, organization, configuration),
    allow_rules_config: { allowed_ips, allowed_aws_vpc_ids },
  };
}

const parentOf = ({ parent_id, parent_name, branched_at }: Database) =>
  parent_id === null || parent_name === null || branched_at === null
    ? null
    : { id: parent_id, name: parent_name, branched_at };
