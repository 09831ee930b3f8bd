import { code } from "../../../platform/values/code";
import type { SqlDatabase, SqlText } from "../../client/sql";
import { StatementRefused } from "../../client/sql";
import type { Migration, MigrationFolder } from "./folder";

/** The table in which Drizzle lists the migrations that it has applied. */
const DRIZZLE = "__drizzle_migrations";
const OWN = "__dbplatform_migrations";

/** Returns the table that lists the applied migrations of a folder. */
export const ledgerTableOf = ({ form }: Pick<MigrationFolder, "form">): string => (form === "numbered" ? OWN : DRIZZLE);

/** An applied migration. */
export interface LedgerRow {
  /** Absent in tables of Drizzle before version 1. */
  readonly name: string | undefined;
  readonly hash: string;
  /** Milliseconds since 1970; 0 in our own table. */
  readonly createdAt: number;
}

/** The applied migrations of one database, in the order in which they sort. */
export interface Ledger {
  readonly rows: readonly LedgerRow[];
  /** The columns of the table; none if there is no table. */
  readonly columns: readonly string[];
}

export const NO_LEDGER: Ledger = { rows: [], columns: [] };

/** Reads the applied migrations of a database. With `write`, it waits for the transaction that writes at present. */
export async function readLedger(database: SqlDatabase, table: string, mode?: "read" | "write"): Promise<Ledger> {
  const order = table === OWN ? "applied_at" : "created_at";
  try {
    const { columns, rows } = await database.query(code`SELECT * FROM "${table}" ORDER BY ${order}, rowid`, mode);
    return {
      columns,
      rows: rows.map(({ name, hash, created_at }) => ({
        name: typeof name === "string" ? name : undefined,
        hash: String(hash),
        createdAt: Number(created_at ?? 0),
      })),
    };
  } catch (failure) {
    // Each engine words it so.
    if (failure instanceof StatementRefused && failure.reason.includes(code`no such table: ${table}`)) return NO_LEDGER;
    throw failure;
  }
}

/** The table as each version of Drizzle creates it, which decides what its migrator does with it later. */
const CREATION = {
  journal: code`CREATE TABLE IF NOT EXISTS "${DRIZZLE}" (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`,
  folders: code`CREATE TABLE IF NOT EXISTS "${DRIZZLE}" (id INTEGER PRIMARY KEY, hash text NOT NULL, created_at numeric, name text, applied_at TEXT)`,
  numbered: code`CREATE TABLE IF NOT EXISTS "${OWN}" (name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL)`,
} as const;

/**
 * Returns the statements that come before those of a migration in its transaction: they fail if another migrator has
 * written to the table since it was read, and add the migration to it.
 */
export function ledgerStatements(
  { form }: Pick<MigrationFolder, "form">,
  ledger: Ledger,
  { name, hash, createdAt }: Migration,
  now: string,
): SqlText[] {
  const table = ledgerTableOf({ form });
  // `json` refuses any text that is no JSON.
  const guard = code`SELECT CASE WHEN (SELECT count(*) FROM "${table}") <> ${ledger.rows.length} THEN json('changed') END`;
  const known: Readonly<Record<string, string | number>> = { name, hash, created_at: createdAt, applied_at: now };
  const columns = (ledger.columns.length > 0 ? ledger.columns : columnsOf(form)).filter((column) => column in known);
  const args = columns.map((column) => known[column] ?? "");
  const marks = columns.map(() => "?").join(", ");
  return [
    CREATION[form],
    guard,
    {
      sql: code`INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(", ")}) VALUES (${marks})`,
      args,
    },
  ];
}

/** How many statements `ledgerStatements` returns. */
export const LEDGER_STATEMENTS = 3;

/** Returns what a database has once a migration was applied, which also creates the table. */
export const withRow = (
  { form }: Pick<MigrationFolder, "form">,
  { rows, columns }: Ledger,
  row: LedgerRow,
): Ledger => ({
  rows: [...rows, row],
  columns: columns.length > 0 ? columns : columnsOf(form),
});

const columnsOf = (form: MigrationFolder["form"]): readonly string[] =>
  ({
    journal: ["hash", "created_at"],
    folders: ["hash", "created_at", "name", "applied_at"],
    numbered: ["name", "hash", "applied_at"],
  })[form];
