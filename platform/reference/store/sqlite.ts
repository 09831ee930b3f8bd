import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { migrations } from "./migrations/list";
import { nodeSqliteDialect } from "./node-sqlite";
import { patiently } from "./patience";
import type { Schema } from "./schema";
import type { Store } from "./store";

/** The store in memory (`:memory:`) or in a file. All writes, of whatever organization, pass one after another. */
export async function openSqliteStore(path: string): Promise<Store> {
  const database = new Kysely<Schema>({ dialect: nodeSqliteDialect(path) });
  await patiently(() => migrate(database)).catch(async (cause: unknown) => {
    await database.destroy();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the data in ${path} could not be opened and brought to this version: ${why}`, { cause });
  });
  return {
    transaction: (_organizations, work) => database.transaction().execute(work),
    read: (work) => database.transaction().setAccessMode("read only").execute(work),
    close: () => database.destroy(),
  };
}

async function migrate(database: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
