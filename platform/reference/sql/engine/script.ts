import type { DatabaseSync, StatementSync } from "node:sqlite";
import { code } from "../../../values/code";
import { tokensFrom } from "../../../values/sql-script";
import { SqlFailure } from "./failure";
import { NUL, unparsable } from "./messages";

const READONLY = "readonly";
/** A replacement for READONLY of the same length, so that positions in the script stay the same. */
const DEFERRED = "deferred";

/**
 * Returns the text in a form that SQLite accepts if it has `BEGIN READONLY` or `BEGIN TRANSACTION READONLY` at this
 * position, and otherwise `undefined`. SQLite does not know READONLY, and takes it for a name after TRANSACTION.
 */
export function readOnlyBegin(text: string, from: number): string | undefined {
  if (!/^begin\b/i.test(text.slice(from, from + 6))) return undefined;
  const [, second, third] = tokensFrom(text, from);
  if (second?.text.toLowerCase() === READONLY) return text.slice(0, second.at) + DEFERRED + text.slice(second.end);
  return second?.text.toLowerCase() === "transaction" && third?.text.toLowerCase() === READONLY ? text : undefined;
}

/**
 * Returns the text with a deferred transaction in place of the one that takes the write lock at this position. What may
 * not write needs no lock, and must not keep others from writing.
 */
export function withoutLockAtBegin(text: string, from: number): string {
  if (!/^begin\b/i.test(text.slice(from, from + 6))) return text;
  const [, second] = tokensFrom(text, from);
  if (!second || !["immediate", "exclusive"].includes(second.text.toLowerCase())) return text;
  return text.slice(0, second.at) + DEFERRED.padEnd(second.text.length) + text.slice(second.end);
}

const DATABASE_LIST = /pragma\s+(?:\w+\s*\.\s*)?database_list\s*(?:=\s*\w+\s*|\(\s*\w*\s*\)\s*)?(?=;|$)/iy;

/**
 * The same rows as those of `PRAGMA database_list`, without paths of the server. SQLite lists the temporary database
 * once it has been opened, which every connection does.
 */
const WITHOUT_FILES = code`select seq, name, '' as file from pragma_database_list
  where name <> 'temp' or exists (select * from temp.sqlite_schema)`;

/**
 * Replaces `PRAGMA database_list`, and returns the text of this statement and all that follows it, with how much longer
 * it is than the same part of the script. Returns `undefined` if no such statement begins at this position.
 */
export function listingDatabasesAt(
  sql: string,
  from: number,
): { readonly text: string; readonly added: number } | undefined {
  DATABASE_LIST.lastIndex = from;
  const [statement] = DATABASE_LIST.exec(sql) ?? [];
  if (statement === undefined) return undefined;
  return {
    text: WITHOUT_FILES + sql.slice(from + statement.length),
    added: WITHOUT_FILES.length - statement.length,
  };
}

export interface PreparedStatement {
  readonly statement: StatementSync;
  readonly text: string;
  /** The position just after the statement. */
  readonly end: number;
}

/**
 * How many characters to pass to SQLite on the first attempt. Passing the whole dump for each statement would be slow.
 */
const WINDOW = 16_384;

/**
 * Prepares the statement at this position. SQLite itself finds the end of the statement, because only SQLite knows
 * where the body of a trigger ends.
 */
export function prepareAt(database: DatabaseSync, text: string, from: number): PreparedStatement {
  // SQLite reads no further than a NUL, so it would find no statement.
  if (text.startsWith("\0", from)) throw new SqlFailure(unparsable({ reason: NUL }), "SQL_PARSE_ERROR");
  for (let size = WINDOW; ; size *= 2) {
    const isWhole = from + size >= text.length;
    const part = isWhole ? text.slice(from) : text.slice(from, from + size);
    try {
      const statement = database.prepare(part);
      const { sourceSQL } = statement;
      // Otherwise, node:sqlite refuses parameters that differ only in their prefix.
      statement.setAllowBareNamedParameters(false);
      // A statement that ends with the part may have been cut off in a comment.
      if (isWhole || sourceSQL.length < part.length)
        return { statement, text: sourceSQL, end: from + sourceSQL.length };
    } catch (thrown) {
      // Throws only if SQLite received the whole text. Otherwise, the statement may have failed only because it was cut
      // off.
      if (isWhole) throw thrown;
    }
  }
}

/** Returns the line number of a position, counting from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
