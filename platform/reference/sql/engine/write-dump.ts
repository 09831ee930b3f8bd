import { setImmediate as moment } from "node:timers/promises";
import { code } from "./code";
import type { SqliteConnection } from "./connection";
import type { Turn } from "./watchdog";

/** The number of rows after which a job yields to other jobs. */
const ROWS = 1_000;

/** Returns the content of a database as SQL that `loadDump` and the `sqlite3` command accept. */
export async function dumpDatabase(connection: SqliteConnection, turn: Turn): Promise<string> {
  const lines = ["PRAGMA foreign_keys=OFF;", "BEGIN TRANSACTION;"];
  connection.own("begin");
  try {
    for (const [name, sql, type] of connection.own(TABLES) as [string, string, string][]) {
      lines.push(`${sql};`);
      await dumpRows(lines, { connection, turn, name, type });
    }
    if (connection.own(code`select 1 from sqlite_schema where name = 'sqlite_sequence'`).length > 0) {
      // When the dump is loaded, the inserts above also insert rows into this table.
      lines.push(code`DELETE FROM sqlite_sequence;`);
      await dumpRows(lines, { connection, turn, name: "sqlite_sequence", type: "table" });
    }
    for (const [sql] of connection.own(OTHERS) as [string][]) lines.push(`${sql};`);
  } finally {
    connection.rollBack();
  }
  return `${[...lines, "COMMIT;"].join("\n")}\n`;
}

/** Selects the tables that a dump creates. Omits shadow tables, because creating a virtual table also creates them. */
const TABLES = code`select s.name, s.sql, l.type from sqlite_schema s join pragma_table_list l on l.schema = 'main' and l.name = s.name
  where s.type = 'table' and s.sql is not null and s.name not like 'sqlite~_%' escape '~' and l.type <> 'shadow'
  order by s.rowid`;

const OTHERS = code`select sql from sqlite_schema where type in ('index', 'view', 'trigger') and sql is not null
  order by case type when 'index' then 1 when 'view' then 2 else 3 end, rowid`;

interface Table {
  readonly connection: SqliteConnection;
  readonly turn: Turn;
  readonly name: string;
  readonly type: string;
}

async function dumpRows(lines: string[], { connection, turn, name, type }: Table): Promise<void> {
  const columns = (
    connection.own(code`select name from pragma_table_xinfo(${sqlTextLiteral(name)}) where hidden = 0`) as [string][]
  )
    .flat()
    .map(sqlIdentifier);
  if (type === "virtual") columns.unshift("rowid");
  const into = code`INSERT INTO ${sqlIdentifier(name)}(${columns.join()}) VALUES`;
  const rows = connection.rows(code`select ${columns.join()} from ${sqlIdentifier(name)}`)[Symbol.iterator]();
  for (let count = 1; ; count += 1) {
    const { done, value } = turn.guard(() => rows.next());
    if (done) return;
    lines.push(`${into}(${value.map(sqlLiteral).join()});`);
    if (count % ROWS === 0) await moment();
  }
}

const sqlIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const sqlTextLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function sqlLiteral(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "string")
    return value.includes("\0") ? `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)` : sqlTextLiteral(value);
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString("hex")}'`;
  if (typeof value === "number") return sqlReal(value);
  return String(value);
}

/** Writes a float as a literal that SQLite does not read as an integer. */
function sqlReal(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (!Number.isFinite(value)) return value > 0 ? "9.0e+999" : "-9.0e+999";
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
