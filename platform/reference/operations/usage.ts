import type { Figures } from "./contents";
import { type Database, databaseNamed, listLiveDatabases } from "./database";
import { listLiveGroups, locationsOf } from "./group";
import { instancesOf } from "./instance";
import type { Operations, OrganizationContext } from "./operation";

/**
 * The usage of databases. The operations ignore the requested period. Without a SQL server, databases are never
 * queried, and keep the size with which they were created.
 */
export const usage = {
  retrieveDatabaseUsage: {
    async handle({ params }, context) {
      return { database: databaseUsage(await databaseNamed(params.databaseName, context), context) };
    },
  },

  retrieveOrganizationUsage: {
    async handle(_request, context) {
      const { state, accessScope } = context;
      const { rows } = await listLiveDatabases(state, accessScope, {});
      const groups = await listLiveGroups(state, accessScope);
      const databases = rows.map((row) => databaseUsage(row, context));
      const used = databases.map(({ usage }) => usage);
      return {
        organization: {
          uuid: accessScope.organization.id,
          usage: {
            ...summedUsage(used),
            databases: databases.length,
            locations: new Set(groups.flatMap(locationsOf)).size,
            groups: groups.length,
          },
          databases,
        },
      };
    },
  },

  listTopQueries: {
    async handle({ params }, context) {
      await databaseNamed(params.databaseName, context);
      return [];
    },
  },
} satisfies Partial<Operations>;

function databaseUsage(database: Database, { accessScope, contents }: OrganizationContext) {
  const { storage_bytes } = database;
  const figures = contents?.figuresOf(database.id) ?? { rows_read: 0, rows_written: 0, storage_bytes };
  const own: Usage = { ...figures, bytes_synced: 0 };
  const replica: Usage = { rows_read: 0, rows_written: 0, storage_bytes: figures.storage_bytes, bytes_synced: 0 };
  // Attributes all requests to the primary instance, because this server does not route requests to replicas.
  const instances = instancesOf(database, accessScope.organization).map(({ uuid, type }) => ({
    uuid,
    usage: type === "primary" ? own : replica,
  }));
  const sum = summedUsage(instances.map(({ usage }) => usage));
  return { uuid: database.id, instances, total: sum, usage: sum };
}

type Usage = Figures & { readonly bytes_synced: number };

const summedUsage = (all: readonly Usage[]): Usage =>
  all.reduce(
    (sum, each) => ({
      rows_read: sum.rows_read + each.rows_read,
      rows_written: sum.rows_written + each.rows_written,
      storage_bytes: sum.storage_bytes + each.storage_bytes,
      bytes_synced: 0,
    }),
    { rows_read: 0, rows_written: 0, storage_bytes: 0, bytes_synced: 0 },
  );
