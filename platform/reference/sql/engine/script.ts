import type { DatabaseSync, StatementSync } from "node:sqlite";
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
export function prepareAt(database: DatabaseSync, text: string, from: number): Prepared {
  // SQLite reads no further than a NUL, so it would find no statement.
  if (text.startsWith("\0", from)) throw new SqlFailure(unparsable(NUL), "SQL_PARSE_ERROR");
  for (let size = WINDOW; ; size *= 2) {
    const isWhole = from + size >= text.length;
    const part = isWhole ? text.slice(from) : text.slice(from, from + size);
    try {
      const statement = database.prepare(part);
      const { sourceSQL } = statement;
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
