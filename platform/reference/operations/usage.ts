import { databaseNamed } from "./database";
import type { Handlers } from "./handler";
import { instancesOf } from "./instance";

/** Nobody queries a database of this API, so every period is alike. */
export const usage: Pick<Handlers, "retrieveDatabaseUsage" | "retrieveDatabaseStats" | "listTopQueries"> = {
  async retrieveDatabaseUsage({ params }, world) {
    const database = await databaseNamed(params.databaseName, world);
    const instances = instancesOf(database, world.reach.organization).map(({ uuid }) => ({
      uuid,
      usage: unused(database.storage_bytes),
    }));
    const sum = unused(instances.length * database.storage_bytes);
    return { database: { uuid: database.id, instances, total: sum, usage: sum } };
  },

  async retrieveDatabaseStats({ params }, world) {
    await databaseNamed(params.databaseName, world);
    return { top_queries: [] };
  },

  async listTopQueries({ params }, world) {
    await databaseNamed(params.databaseName, world);
    return [];
  },
};

const unused = (storage_bytes: number) => ({ rows_read: 0, rows_written: 0, storage_bytes, bytes_synced: 0 });
