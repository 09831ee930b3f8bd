import { Kysely } from "kysely";
import { migrate } from "./migrate";
import { nodeSqliteDialect } from "./node-sqlite";
import { patiently } from "./patience";
import { reasonOf } from "./reason";
import type { Schema } from "./schema";
import type { Store } from "./store";

/** The store in memory (`:memory:`) or in a file. All writes, of whatever organization, pass one after another. */
export async function openSqliteStore(path: string): Promise<Store> {
  const database = new Kysely<Schema>({ dialect: nodeSqliteDialect(path) });
  await patiently(() => migrate(database)).catch(async (cause: unknown) => {
    await database.destroy();
    const reason = reasonOf(cause);
    throw new Error(`the data at ${path} could not be opened and brought to this version: ${reason}`, { cause });
  });
  return {
    transaction: (_organizations, work) => database.transaction().execute(work),
    // Of a file that another process has left without closing it, the first reader is alone.
    read: (work) => patiently(() => database.transaction().setAccessMode("read only").execute(work)),
    close: () => database.destroy(),
  };
}
