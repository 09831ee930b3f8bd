import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { migrations } from "./migrations/list";
import type { Schema } from "./schema";

/** Brings the data to this version, in one transaction; of several processes that start at once, one does it. */
export async function migrate(database: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
