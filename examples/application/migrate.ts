import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@libsql/client";

const folder = join(import.meta.dirname, "migrations");

/** Applies the files in `migrations` that the database does not have yet, in the order of their names: all or none. */
export async function migrate(database: Client): Promise<void> {
  const transaction = await database.transaction("write");
  try {
    await transaction.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)");
    const { rows } = await transaction.execute("SELECT name FROM migrations");
    const applied = rows.map(({ name }) => name);
    for (const name of readdirSync(folder).sort()) {
      if (applied.includes(name)) continue;
      await transaction.executeMultiple(readFileSync(join(folder, name), "utf8"));
      await transaction.execute({ sql: "INSERT INTO migrations VALUES (?)", args: [name] });
    }
    await transaction.commit();
  } finally {
    transaction.close();
  }
}
