import { isRefusal, messageOf, Refusal, unlessRefused } from "../../../kit/refusal";
import { code } from "../../../platform/values/code";
import { sqlIdentifier } from "../../../platform/values/sql-quoting";
import { type SqlDatabase, StatementRefused, WITHOUT_SQL } from "../../client/sql";
import type { PlatformContext } from "../../platform";
import type { LiveDatabaseRecord } from "./live-databases";
import { contentCompared, contentNotCompared, copyIncomplete } from "./messages";
import { connector } from "./sql-access";

/** How many tables are counted in one statement; SQLite allows 500. */
const COUNTED_AT_ONCE = 100;

/**
 * Compares the tables of a database and of its copy, and how many rows they have, and says so. If the databases cannot
 * be queried, for example because the credential may not mint tokens, only that is said.
 *
 * @throws Refusal if the copy lacks a table or rows.
 */
export async function assertWholeCopy(
  old: LiveDatabaseRecord,
  copy: LiveDatabaseRecord,
  encryptionKey: string | undefined,
  context: PlatformContext,
): Promise<void> {
  const about = { name: old.Name, copy: copy.Name };
  let counts: readonly ReadonlyMap<string, number>[];
  try {
    counts = await Promise.all([old, copy].map((database) => rowsByTable(database, encryptionKey, context)));
  } catch (failure) {
    if (isRefusal(failure, "cancelled")) throw failure;
    if (!(failure instanceof StatementRefused)) unlessRefused(failure);
    const isServingSql = !(isRefusal(failure) && failure.code === WITHOUT_SQL);
    if (isServingSql) context.inform(contentNotCompared({ ...about, cause: messageOf(failure) }));
    return;
  }
  const [before = new Map<string, number>(), after = new Map<string, number>()] = counts;
  for (const [table, rows] of before) {
    const copied = after.get(table);
    // A copy with which an update goes on may have more.
    if (copied === undefined || copied < rows)
      throw new Refusal("conflict", { answer: copyIncomplete({ ...about, table, rows, copied }) });
  }
  const rows = [...before.values()].reduce((sum, count) => sum + count, 0);
  context.inform(contentCompared({ ...about, tables: before.size, rows }));
}

async function rowsByTable(
  database: LiveDatabaseRecord,
  encryptionKey: string | undefined,
  context: PlatformContext,
): Promise<ReadonlyMap<string, number>> {
  const sql = await connector({ database: database.DbId, encryptionKey }, "read-only", context)(database);
  const { rows } = await sql.query(code`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`);
  const names = rows.map(({ name }) => String(name));
  const counts = new Map<string, number>();
  for (let at = 0; at < names.length; at += COUNTED_AT_ONCE)
    for (const [name, count] of await countRows(sql, names.slice(at, at + COUNTED_AT_ONCE))) counts.set(name, count);
  return counts;
}

async function countRows(sql: SqlDatabase, names: readonly string[]): Promise<[string, number][]> {
  const selects = names.map((name, index) => code`SELECT ${index} AS at, count(*) AS rows FROM ${sqlIdentifier(name)}`);
  const { rows } = await sql.query(selects.join(" UNION ALL "));
  return rows.map(({ at, rows: count }) => [names[Number(at)] ?? "", Number(count)]);
}
