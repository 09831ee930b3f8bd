import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ResultSet } from "@libsql/client";

const folder = join(import.meta.dirname, "migrations");
const files = readdirSync(folder).sort();

const OWNER = "SELECT tenant FROM _owner";
const APPLIED = "SELECT name FROM _migrations";

interface Contents {
  /** The tenant that the database belongs to, or `undefined` if nobody has used it yet. */
  readonly tenant: string | undefined;
  readonly missing: readonly string[];
}

/** Reads whose database this is, and which files in `migrations` it lacks. */
export async function inspect(database: Client): Promise<Contents> {
  try {
    return contentsOf(await database.batch([OWNER, APPLIED], "read"));
  } catch (failure) {
    if (/no such table/.test(String(failure))) return { tenant: undefined, missing: files };
    throw failure;
  }
}

/**
 * Records in the database whose it is, and applies the files in `migrations` that it lacks: all or none. If several
 * processes do this at once, the others find the work of the first. Changes nothing if the database belongs to another
 * tenant.
 */
export async function migrate(database: Client, tenant: string): Promise<void> {
  const transaction = await database.transaction("write");
  try {
    await transaction.execute("CREATE TABLE IF NOT EXISTS _owner (tenant TEXT NOT NULL)");
    await transaction.execute("CREATE TABLE IF NOT EXISTS _migrations (name TEXT PRIMARY KEY)");
    const sql = "INSERT INTO _owner SELECT ? WHERE NOT EXISTS (SELECT 1 FROM _owner)";
    await transaction.execute({ sql, args: [tenant] });
    const contents = contentsOf(await transaction.batch([OWNER, APPLIED]));
    if (contents.tenant !== tenant) return;
    for (const name of contents.missing) {
      await transaction.executeMultiple(readFileSync(join(folder, name), "utf8"));
      await transaction.execute({ sql: "INSERT INTO _migrations VALUES (?)", args: [name] });
    }
    await transaction.commit();
  } finally {
    transaction.close();
  }
}

function contentsOf([owner, applied]: ResultSet[]): Contents {
  const names = applied?.rows.map(({ name }) => name) ?? [];
  const [row] = owner?.rows ?? [];
  return { tenant: row && String(row.tenant), missing: files.filter((name) => !names.includes(name)) };
}
