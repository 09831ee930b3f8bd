import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Whitespace, comments and semicolons between statements. */
const BETWEEN = /(?:[\s;\uFEFF]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/y;

/** Returns the position of the next statement, or the length of the text if there is none. */
export function nextStatement(text: string, from: number): number {
  BETWEEN.lastIndex = from;
  BETWEEN.test(text);
  return BETWEEN.lastIndex;
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
  for (let size = WINDOW; ; size *= 2) {
    const isWhole = from + size >= text.length;
    const part = isWhole ? text.slice(from) : text.slice(from, from + size);
    try {
      const statement = database.prepare(part);
      const { sourceSQL } = statement;
      if (isWhole || sourceSQL.endsWith(";")) return { statement, text: sourceSQL, end: from + sourceSQL.length };
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
