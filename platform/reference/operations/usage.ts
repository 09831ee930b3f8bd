import type { AccessScope } from "../store/access-scope";
import { type Database, listLiveDatabases } from "../store/databases";
import { listLiveGroups } from "../store/groups";
import { databaseNamed } from "./database";
import type { Handlers } from "./handler";
import { instancesOf } from "./instance";
import { locationsOf } from "./location";

/** Handlers for usage. The databases of this API are never queried, so the usage is the same in every period. */
export const usage: Pick<
  Handlers,
  "retrieveDatabaseUsage" | "retrieveOrganizationUsage" | "retrieveDatabaseStats" | "listTopQueries"
> = {
  async retrieveDatabaseUsage({ params }, context) {
    return { database: usageOf(await databaseNamed(params.databaseName, context), context.accessScope) };
  },

  async retrieveOrganizationUsage(_request, { state, accessScope }) {
    const { rows } = await listLiveDatabases(state, accessScope, {});
    const groups = await listLiveGroups(state, accessScope);
    const databases = rows.map((row) => usageOf(row, accessScope));
    const storage = databases.reduce((sum, { usage }) => sum + usage.storage_bytes, 0);
    return {
      organization: {
        uuid: accessScope.organization.id,
        usage: {
          ...unused(storage),
          databases: databases.length,
          locations: new Set(groups.flatMap(locationsOf)).size,
          groups: groups.length,
        },
        databases,
      },
    };
  },

  async retrieveDatabaseStats({ params }, context) {
    await databaseNamed(params.databaseName, context);
    return { top_queries: [] };
  },

  async listTopQueries({ params }, context) {
    await databaseNamed(params.databaseName, context);
    return [];
  },
};

function usageOf(database: Database, { organization }: AccessScope) {
  const instances = instancesOf(database, organization).map(({ uuid }) => ({
    uuid,
    usage: unused(database.storage_bytes),
  }));
  const sum = unused(instances.length * database.storage_bytes);
  return { uuid: database.id, instances, total: sum, usage: sum };
}

const unused = (storage_bytes: number) => ({ rows_read: 0, rows_written: 0, storage_bytes, bytes_synced: 0 });
