import { type Configuration, type ConfigurationField, fieldsShownIn } from "../../contract/configuration-fields";
import type { AccessScope } from "../credentials/access-scope";
import type { Organization } from "../credentials/membership";
import { refuse } from "../messages";
import { checkedColumns } from "../store/columns";
import { given } from "../store/given";
import { keyOfCursor, type Page, pageOf } from "../store/page";
import type { DatabaseRow, Flag, State } from "../store/schema";
import { checkSettingsForLocation } from "./aws";
import { configurationColumns, configurationOf, UNCONFIGURED_COLUMNS } from "./configuration";
import { NEWEST_VERSION } from "./group";
import { hostnameOf } from "./hostnames";
import { regionsOf } from "./location";
import type { Entry, Operations, OrganizationContext } from "./operation";

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

/** Every database has this type, because schema databases are not supported. */
const TYPE = "logical";

export const databases = {
  listDatabases: {
    async handle({ query }, { state, accessScope }) {
      if (query.schema || (query.type ?? TYPE) !== TYPE) return { databases: [], pagination: {} };
      const { rows, ...pagination } = await listLiveDatabases(state, accessScope, query);
      return { databases: rows.map((row) => databaseRecord(row, accessScope.organization)), pagination };
    },
  },

  listDatabasesById: {
    async handle({ query }, { state, accessScope }) {
      const { group_id: groupId, parent_db_id: parent, ...rest } = query;
      const { rows, ...pagination } = await listLiveDatabases(state, accessScope, { ...rest, groupId, parent });
      return { databases: rows.map((row) => databaseRecordById(row, accessScope.organization)), pagination };
    },
  },

  retrieveDatabase: {
    async handle({ params }, context) {
      const row = await databaseNamed(params.databaseName, context);
      return { database: databaseRecord(row, context.accessScope.organization) };
    },
  },

  retrieveDatabaseById: {
    async handle({ params }, context) {
      const row = await databaseWithId(params.databaseId, context);
      return { database: databaseRecordById(row, context.accessScope.organization) };
    },
  },

  deleteDatabase: {
    handle: async ({ params }, context) =>
      deleteUnlessProtected(await databaseNamed(params.databaseName, context), context),
    audit: ({ answer: { database } }) => ({ code: "db-delete", data: { database } }),
  },

  deleteDatabaseById: {
    handle: async ({ params }, context) =>
      deleteUnlessProtected(await databaseWithId(params.databaseId, context), context),
    audit: ({ request: { params }, answer: { database } }) => ({
      code: "db-delete",
      data: { database, id: params.databaseId },
    }),
  },

  retrieveDatabaseConfiguration: {
    handle: async ({ params }, context) => configurationOf(await databaseNamed(params.databaseName, context)),
  },

  updateDatabaseConfiguration: {
    async handle({ params, body }, context) {
      const database = await databaseNamed(params.databaseName, context);
      await checkSettingsForLocation(body, database.location, context.state);
      const changes = configurationColumns(body);
      await changeDatabase(context.state, database.id, changes);
      return configurationOf({ ...database, ...changes });
    },
    audit({ request: { params, body } }) {
      const { delete_protection, ...others } = body;
      const data = { database: params.databaseName };
      const entries: Entry[] = [];
      if (typeof delete_protection === "boolean")
        entries.push({ code: delete_protection ? "db-protect" : "db-unprotect", data });
      const columns = configurationColumns(others);
      const changed = Object.entries(others).filter(([name]) => name in columns);
      if (changed.length > 0) entries.push({ code: "db-configure", data: { ...data, ...Object.fromEntries(changed) } });
      return entries;
    },
  },

  wakeDatabase: {
    /** Refuses to wake a database in an archived group, because the database would remain unreachable. */
    async handle({ params }, context) {
      const { id, archived, group_name } = await databaseNamed(params.databaseName, context);
      if (archived) throw refuse.groupArchived({ group: group_name });
      await changeDatabase(context.state, id, { sleeping: 0 });
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "db-aunrchive", data: { database: params.databaseName } }),
  },

  updateDatabaseVersion: {
    async handle({ params }, context) {
      const { id } = await databaseNamed(params.databaseName, context);
      await changeDatabase(context.state, id, { version: NEWEST_VERSION });
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "db-update", data: { database: params.databaseName } }),
  },
} satisfies Partial<Operations>;

/**
 * Returns the live database with this name, if the caller can access it.
 *
 * @param refusal Returns the error to throw if there is no such database.
 */
export async function databaseNamed(
  name: string,
  { state, accessScope }: OrganizationContext,
  refusal: typeof refuse.databaseNotFound = refuse.databaseNotFound,
): Promise<Database> {
  const found = await findDatabase(state, accessScope, name);
  if (!found) throw refusal({ name });
  return found;
}

export async function databaseWithId(id: string, { state, accessScope }: OrganizationContext): Promise<Database> {
  const found = await findDatabaseById(state, accessScope, id);
  if (!found) throw refuse.databaseIdNotFound({ id });
  return found;
}

async function deleteUnlessProtected({ id, name, delete_protection }: Database, { state, now }: OrganizationContext) {
  if (delete_protection) throw refuse.deleteProtected({ kind: "database", name });
  await changeDatabase(state, id, { deleted_at: now.toISOString(), group_deleted_at: null });
  return { database: name };
}

const RECORDED = fieldsShownIn("record");
const ALLOW_RULES = fieldsShownIn("rules");

const pick = (configuration: Configuration, names: readonly ConfigurationField[]): Partial<Configuration> =>
  Object.fromEntries(names.map((name) => [name, configuration[name]]));

/** Returns the record of a database, with every field that clients read (wire-facts 13.5). */
function databaseRecord(row: Database, organization: Organization, configuration = configurationOf(row)) {
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
    ...pick(configuration, RECORDED),
    is_schema: false,
    schema: "",
    ...(row.encryption_cipher !== null && { encryption_cipher: row.encryption_cipher }),
    parent: parentRecord(row),
  };
}

/** Returns the `/v3` representation of a database, which includes its allow rules (wire-facts 3.7). */
function databaseRecordById(row: Database, organization: Organization) {
  const configuration = configurationOf(row);
  return {
    ...databaseRecord(row, organization, configuration),
    allow_rules_config: pick(configuration, ALLOW_RULES),
  };
}

const parentRecord = ({ parent_id, parent_name, branched_at }: Database) =>
  parent_id === null || parent_name === null || branched_at === null
    ? null
    : { id: parent_id, name: parent_name, branched_at };

/** Begins a query for databases. Joins the groups, because `Database` contains columns of its group. */
export const selectDatabasesWithGroups = (state: State) =>
  state
    .selectFrom("databases")
    .innerJoin("groups", "groups.id", "databases.group_id")
    .selectAll("databases")
    .select(["groups.name as group_name", "groups.location", "groups.other_locations", "groups.archived"]);

/** Begins a query for the databases of an organization or, with `groupId`, of one group. */
export const selectDatabases = (state: State, { organization, groupId }: AccessScope) =>
  selectDatabasesWithGroups(state)
    .where("databases.organization_id", "=", organization.id)
    .$call(given(groupId, (query, value) => query.where("databases.group_id", "=", value)));

export const selectLiveDatabases = (state: State, accessScope: AccessScope) =>
  selectDatabases(state, accessScope).where("databases.deleted_at", "is", null);

export const findDatabase = (state: State, accessScope: AccessScope, name: string): Promise<Database | undefined> =>
  selectLiveDatabases(state, accessScope).where("databases.name", "=", name).executeTakeFirst();

export const findDatabaseById = (state: State, accessScope: AccessScope, id: string): Promise<Database | undefined> =>
  selectLiveDatabases(state, accessScope).where("databases.id", "=", id.toLowerCase()).executeTakeFirst();

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

export async function changeDatabase(
  state: State,
  id: string,
  changes: Partial<Omit<DatabaseRow, "id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("databases").set(checkedColumns(changes, { id })).where("id", "=", id).execute();
}

/** Finds the record of a live or deleted database in any organization. */
export const findAnyDatabase = (state: State, id: string): Promise<DatabaseRow | undefined> =>
  state.selectFrom("databases").selectAll().where("id", "=", id.toLowerCase()).executeTakeFirst();
