import { setImmediate as moment } from "node:timers/promises";
import { code } from "../../../values/code";
import { sqlIdentifier } from "../../../values/sql-quoting";
import { nextStatement } from "../../../values/sql-script";
import type { SqliteConnection } from "./connection";
import { SqlFailure } from "./failure";
import type { Rights } from "./jobs";
import { TRANSACTION_ENDED } from "./messages";
import { lineAt } from "./script";
import type { Turn } from "./watchdog";

/** The number of statements after which a job yields to other jobs. */
const STATEMENTS = 1_000;

/** The rights for loading a dump. A dump may do anything within its database, but cannot access anything outside. */
const UNRESTRICTED: Rights = {
  reads: true,
  writes: true,
  refusal: { reads: "", writes: "", endsTransaction: false },
  rules: null,
  attachable: {},
};

/** Transaction statements in a dump. They are skipped, because the whole dump is loaded in one transaction. */
const TRANSACTION = /^(begin|commit|end)\b/i;

/** Matches the statements with which the `sqlite3` command allows and forbids its declarations of virtual tables. */
const AROUND_DECLARATIONS = /PRAGMA writable_schema=O(?:N|FF);/y;

/**
 * Matches a declaration of a virtual table by the `sqlite3` command. Its shadow tables follow it in the dump. The number
 * of quotes is limited, because repeating a group many times would overflow the stack.
 */
const DECLARATION = (() => {
  const quoted = code`[^']*(?:''[^']*){0,1000}`;
  const values = code`'table','${quoted}','${quoted}',0,'(CREATE VIRTUAL TABLE ${quoted})'`;
  return new RegExp(
    code`INSERT INTO sqlite_(?:schema|master)\(type,name,tbl_name,rootpage,sql\) ?VALUES\(${values}\);`,
    "y",
  );
})();

/**
 * Runs a dump in one transaction, in a database that no other job can use.
 *
 * @throws SqlFailure with the line of the first statement that fails, after rolling back the transaction.
 */
export async function loadDump(connection: SqliteConnection, text: string, turn: Turn): Promise<void> {
  connection.own(code`pragma foreign_keys = off`);
  connection.own("begin immediate");
  let at = nextStatement(text, 0);
  try {
    for (let count = 0; at < text.length; count += 1) {
      const end = loadDeclaration(connection, { text, at }, turn) ?? loadStatement(connection, { text, at }, turn);
      if (!connection.isTransaction) throw new SqlFailure(TRANSACTION_ENDED, "SQL_INPUT_ERROR");
      at = nextStatement(text, end);
      if (count % STATEMENTS === 0) await moment();
    }
    // Until then, the dump can be loaded again if the process is killed.
    turn.change(true);
    turn.guard(() => connection.own("commit"));
  } catch (thrown) {
    connection.rollBack();
    throw thrown instanceof SqlFailure ? new SqlFailure(thrown.message, thrown.code, lineAt(text, at)) : thrown;
  }
}

/** The position of a statement in a dump. */
interface Place {
  readonly text: string;
  readonly at: number;
}

/** Runs the statement at this position, and returns where it ends. */
function loadStatement(connection: SqliteConnection, { text, at }: Place, turn: Turn): number {
  const prepared = turn.guard(() => connection.prepare(text, at, UNRESTRICTED));
  if (!TRANSACTION.test(prepared.text)) turn.guard(() => connection.run(prepared, [], false));
  return prepared.end;
}

/**
 * Creates the virtual table that the `sqlite3` command declares at this position, and returns where the declaration ends.
 * Returns `undefined` if there is another statement.
 */
function loadDeclaration(connection: SqliteConnection, { text, at }: Place, turn: Turn): number | undefined {
  AROUND_DECLARATIONS.lastIndex = at;
  if (AROUND_DECLARATIONS.test(text)) return AROUND_DECLARATIONS.lastIndex;
  DECLARATION.lastIndex = at;
  const sql = DECLARATION.exec(text)?.[1];
  if (sql === undefined) return undefined;
  const tables = () => turn.guard(() => connection.own(TABLES)).map(([name]) => `${name}`);
  const before = new Set(tables());
  loadStatement(connection, { text: sql.replaceAll("''", "'"), at: 0 }, turn);
  // A declaration would not have created the shadow tables, so the dump has all their rows.
  for (const name of tables()) if (!before.has(name)) connection.own(`delete from ${sqlIdentifier(name)}`);
  return DECLARATION.lastIndex;
}

const TABLES = code`select name from pragma_table_list where schema = 'main' and type <> 'virtual'`;
