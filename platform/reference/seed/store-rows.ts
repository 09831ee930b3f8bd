import { checkedColumns, checkedRows } from "../store/columns";
import type { Schema, State } from "../store/schema";
import { clockNow } from "../time/clock";
import { instantOfMoment } from "./moment";

type Table = Exclude<keyof Schema, "settings">;

export type Rows = { readonly [Name in Table]: Schema[Name][] };

/** Returns an empty list for each table, in the order in which the tables are filled. */
export const noRows = (): Rows => ({
  counters: [],
  users: [],
  organizations: [],
  members: [],
  groups: [],
  databases: [],
  tokens: [],
  invites: [],
  signing_keys: [],
  dumps: [],
  audit_logs: [],
});

const TABLES = Object.keys(noRows()) as Table[];

/** Returns all rows of the store. */
export async function readRows(state: State): Promise<Rows> {
  const rows: [string, unknown[]][] = [];
  for (const table of TABLES) rows.push([table, await state.selectFrom(table).selectAll().execute()]);
  return Object.fromEntries(rows) as unknown as Rows;
}

const TIMES: readonly string[] = ["deleted_at", "group_deleted_at", "branched_at", "created_at"];

/** Maximum number of rows in one statement. A statement accepts only a limited number of values. */
const ROWS_AT_ONCE = 500;

/** @param check Checks rows whose times are instants. */
export async function insertRows(state: State, rows: Rows, check: typeof checkedRows = checkedNewRows): Promise<void> {
  const now = await clockNow(state);
  for (const table of TABLES) {
    const ready = check<Rows[Table][number]>(rows[table].map((row) => rowAtInstants(row, now)));
    for (let from = 0; from < ready.length; from += ROWS_AT_ONCE)
      await state
        .insertInto(table)
        .values(ready.slice(from, from + ROWS_AT_ONCE))
        .execute();
  }
}

const checkedNewRows: typeof checkedRows = (rows) => rows.map((row) => checkedColumns(row));

/** Replaces all rows by rows that were read from the store. */
export async function replaceRows(state: State, { users, organizations, ...rows }: Rows): Promise<void> {
  for (const table of Object.keys(rows).toReversed() as (keyof typeof rows)[]) await state.deleteFrom(table).execute();
  // Updates these rows instead of deleting and inserting them. A transaction may be waiting for the lock on an
  // organization's row, and would not find the row after a deletion.
  for (const [table, kept] of Object.entries({ organizations, users }) as ["users", Rows["users"]][]) {
    checkedRows(kept);
    const ids = kept.map(({ id }) => id);
    await state.deleteFrom(table).where("id", "not in", ids).execute();
    for (const row of kept)
      await state
        .insertInto(table)
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
  }
  await insertRows(state, { ...noRows(), ...rows }, checkedRows);
}

const rowAtInstants = <Row extends object>(row: Row, now: Date): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      TIMES.includes(column) && typeof value === "string" ? instantOfMoment(value, now) : value,
    ]),
  ) as Row;
