import { InvalidCursor } from "./failure";

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
}

/** The sort key of a row. The cursor of a page holds the key of the last row on the page. */
export type Key = readonly string[];

/**
 * Returns a page of at most `limit` rows.
 *
 * @param rows At most `limit` + 1 rows. An extra row shows that the list continues, so the page gets a cursor.
 */
export function pageOf<Row>(rows: readonly Row[], limit: number | undefined, keyOf: (row: Row) => Key): Page<Row> {
  if (limit === undefined || rows.length <= limit) return { rows };
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return last === undefined ? { rows: shown } : { rows: shown, next: cursorOf(keyOf(last)) };
}

const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString("base64url");

export function keyOfCursor(cursor: string | undefined, length: number): string[] | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  const key = parsedCursor(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(key) || key.length !== length || !key.every((part) => typeof part === "string"))
    throw new InvalidCursor();
  return key;
}

function parsedCursor(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a `like … escape '\\'` pattern that matches any lower-case string containing the lower-cased text. */
export const likePatternContaining = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
