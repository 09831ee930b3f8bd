import { DatabaseSync } from "node:sqlite";
import { code } from "../../../values/code";
import { type SqlToken, tokensFrom } from "../../../values/sql-script";
import { SqlFailure, sqlFailureOf } from "./failure";
import {
  alsoRenames,
  alterationRefused,
  constraintFixed,
  inputError,
  noSuchColumn,
  sqliteError,
  syntaxError,
  unparsable,
} from "./messages";
import { addVectorFunctions } from "./vectors";

/**
 * libSQL's statement `ALTER TABLE … ALTER COLUMN … TO …`, which SQLite does not know and `drizzle-kit` sends. It writes
 * the new declaration into the schema. Copying the rows to a new table takes long, and can lose triggers and views.
 * Rows are not looked at, as in libSQL. Unlike there, indexes are rebuilt, because queries miss rows in one that no
 * longer fits.
 */
export interface ColumnAlteration {
  /**
   * A statement that renames the column to its own name. SQLite refuses it where libSQL refuses the alteration, with the
   * same errors.
   */
  readonly renaming: string;
  /** The position just after the statement. */
  readonly end: number;
  readonly column: string;
  /** The position of the column in the statement, in bytes. */
  readonly offset: number;
  readonly newName: string;
  /** The new name, type and constraints of the column. */
  readonly declaration: string;
}

/** The most tokens that the statement has up to the new name: `ALTER TABLE a.b ALTER COLUMN c TO c`. */
const HEAD = 10;

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the statement if it begins at this position.
 *
 * @throws SqlFailure if a comma or a parenthesis that was never opened follows the declaration.
 */
export function columnAlterationAt(sql: string, from: number): ColumnAlteration | undefined {
  if (!/^alter\b/i.test(sql.slice(from, from + 6))) return undefined;
  const head: SqlToken[] = [];
  let last: SqlToken | undefined;
  let end = sql.length;
  let depth = 0;
  let misplaced: string | undefined;
  for (const token of tokensFrom(sql, from)) {
    if (token.text === ";") {
      end = token.end;
      break;
    }
    if (head.length < HEAD) head.push(token);
    last = token;
    if (token.text === "(") depth += 1;
    if (token.text === ")") depth -= 1;
    if (depth < 0 || (depth === 0 && token.text === ",")) misplaced ??= token.text;
  }
  const [, table, , dot] = head;
  const [alter, column, old, to, name] = head.slice(dot?.text === "." ? 5 : 3);
  const words = [table, alter, column, to].map((token) => token?.text.toLowerCase()).join(" ");
  if (!alter || !column || !old || !last || words !== code`table alter column to`) return undefined;
  if (misplaced !== undefined)
    throw new SqlFailure(unparsable({ reason: syntaxError({ text: misplaced }) }), "SQL_PARSE_ERROR");
  // Of the same length, so that the places of errors stay the same.
  const rename = "rename".padEnd(column.end - alter.at);
  return {
    renaming: sql.slice(from, alter.at) + rename + sql.slice(column.end, name?.end ?? end),
    end,
    column: old.text,
    offset: Buffer.byteLength(sql.slice(from, old.at)),
    newName: name?.text ?? "",
    declaration: name ? sql.slice(name.at, last.end) : "",
  };
}

/** @throws SqlFailure if the statement also renames the column, or if the declaration cannot be parsed. */
export function assertColumnAlteration({ column, newName, offset, declaration }: ColumnAlteration): void {
  if (lowerAscii(newName) !== lowerAscii(column))
    throw new SqlFailure(
      inputError({ reason: alsoRenames({ name: column, given: newName }), offset }),
      "SQL_INPUT_ERROR",
    );
  inScratch((database) => {
    const text = code`create table t (${declaration})`;
    try {
      database.prepare(text);
    } catch (thrown) {
      const failure = sqlFailureOf(thrown, { text, before: "", isDescribed: false, parse: () => undefined });
      // Other errors may be due to the table, and not to the declaration.
      if (failure instanceof SqlFailure && failure.code === "SQL_PARSE_ERROR") throw failure;
    }
  });
}

/**
 * Returns the SQL of a table with the new declaration of the column.
 *
 * @param create The SQL of the table, as the schema has it.
 * @throws SqlFailure if SQLite does not accept the table, or if its rows or indexes would no longer fit it.
 */
export function alteredTable(create: string, table: string, { column, declaration }: ColumnAlteration): string {
  const refused = (reason: string) =>
    new SqlFailure(sqliteError({ reason: alterationRefused({ declaration, table, reason }) }), "SQLITE_UNKNOWN");
  try {
    const altered = withDeclaration(create, column, declaration);
    if (altered === undefined) throw refused(noSuchColumn({ name: column }));
    const [before, after] = [fixedConstraintsOf(create), fixedConstraintsOf(altered)];
    const kind = KINDS.find((each) => before[each] !== after[each]);
    if (kind !== undefined) throw refused(constraintFixed({ kind }));
    return altered;
  } catch (thrown) {
    throw thrown instanceof SqlFailure || !(thrown instanceof Error) ? thrown : refused(thrown.message);
  }
}

/** Returns the SQL of a table with another declaration in place of the one that begins with the column's name. */
function withDeclaration(create: string, column: string, declaration: string): string | undefined {
  const wanted = nameOfColumn(column);
  let depth = 0;
  let first: SqlToken | undefined;
  for (const token of tokensFrom(create, 0)) {
    const { text } = token;
    if (depth === 1 && (text === "," || text === ")")) {
      if (first && nameOfColumn(first.text) === wanted)
        return create.slice(0, first.at) + declaration + create.slice(token.at);
      first = undefined;
    } else if (depth === 1) first ??= token;
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
  }
  return undefined;
}

/** Returns the name without quotes, in the form in which SQLite compares names. */
function nameOfColumn(token: string): string {
  const quote = token.charAt(0);
  const name = "'\"`[".includes(quote) ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
  return lowerAscii(name);
}

/** The constraints that an alteration cannot change, in the order in which libSQL checks them. */
const KINDS = ["PRIMARY KEY", "UNIQUE", "GENERATED"] as const;

/** Selects a text for each of these constraints. The text of a table differs if its constraints of this kind differ. */
const SHAPE = code`with t as (select s.name, l.wr from sqlite_schema s join pragma_table_list l on l.name = s.name
    where s.type = 'table' and s.name <> 'sqlite_sequence')
  select (select group_concat(c.pk) from t, pragma_table_xinfo(t.name) c),
    (select group_concat(l.origin || lower(i.name) || iif(l.origin = 'pk' and t.wr, i.coll, ''))
      from t, pragma_index_list(t.name) l, pragma_index_xinfo(l.name) i where i.key),
    (select group_concat(c.hidden) from t, pragma_table_xinfo(t.name) c)`;

/** @throws Error of SQLite if it does not accept the table. */
function fixedConstraintsOf(create: string): Readonly<Record<(typeof KINDS)[number], unknown>> {
  return inScratch((database) => {
    database.prepare(create).run();
    const [primary, unique, generated] = Object.values(database.prepare(SHAPE).get() ?? {});
    return { "PRIMARY KEY": primary, UNIQUE: unique, GENERATED: generated };
  });
}

/** Calls a function with an empty database in memory. */
function inScratch<T>(use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(":memory:");
  addVectorFunctions(database);
  try {
    return use(database);
  } finally {
    database.close();
  }
}
