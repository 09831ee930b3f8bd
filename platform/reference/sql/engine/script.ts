import type { DatabaseSync, StatementSync } from "node:sqlite";
import { code } from "./code";
import { SqlFailure } from "./failure";
import { NUL, unparsable } from "./messages";

/** Whitespace and semicolons, or a comment. */
const BETWEEN = /[\s;\uFEFF]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)/y;

/** Returns the position of the next statement, or the length of the text if there is none. */
export function nextStatement(text: string, from: number): number {
  // Matches one comment at a time, because repeating a group would overflow the stack if there are many.
  for (let at = from; ; at = BETWEEN.lastIndex) {
    BETWEEN.lastIndex = at;
    if (!BETWEEN.test(text)) return at;
  }
}

const READONLY = "readonly";
/** A replacement for READONLY of the same length, so that positions in the script stay the same. */
const DEFERRED = "deferred";

const GAP = /\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)/y;
const WORD = /[\w$\u0080-\uffff]+/y;

/** Returns the next words, in lower case and with their positions. Stops at anything but words, spaces and comments. */
function wordsInScript(text: string, from: number, most: number): { readonly word: string; readonly at: number }[] {
  const words = [];
  for (let at = from; words.length < most; ) {
    GAP.lastIndex = at;
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word !== undefined) words.push({ word: word.toLowerCase(), at });
    else if (!GAP.test(text)) break;
    at = word === undefined ? GAP.lastIndex : WORD.lastIndex;
  }
  return words;
}

/**
 * Returns the text in a form that SQLite accepts if it has `BEGIN READONLY` or `BEGIN TRANSACTION READONLY` at this
 * position, and otherwise `undefined`. SQLite does not know READONLY, and takes it for a name after TRANSACTION.
 */
export function readOnlyBeginInScript(text: string, from: number): string | undefined {
  if (!/^begin\b/i.test(text.slice(from, from + 6))) return undefined;
  const [, second, third] = wordsInScript(text, from, 3);
  if (second?.word === READONLY) return text.slice(0, second.at) + DEFERRED + text.slice(second.at + DEFERRED.length);
  return second?.word === "transaction" && third?.word === READONLY ? text : undefined;
}

/**
 * Returns the text with a deferred transaction in place of the one that takes the write lock at this position. What may
 * not write needs no lock, and must not keep others from writing.
 */
export function withoutLockAtBegin(text: string, from: number): string {
  if (!/^begin\b/i.test(text.slice(from, from + 6))) return text;
  const [, second] = wordsInScript(text, from, 2);
  if (second?.word !== "immediate" && second?.word !== "exclusive") return text;
  return text.slice(0, second.at) + DEFERRED.padEnd(second.word.length) + text.slice(second.at + second.word.length);
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

export interface Prepared {
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
export function prepareScriptAt(database: DatabaseSync, text: string, from: number): Prepared {
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
export function scriptLineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
