import { InvalidCursor } from "./failure";

/** One page of a list, and the cursor of the next page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
}

/** The values that a list is sorted by. A cursor holds those of the last row of its page. */
export type Key = readonly string[];

/** @param rows One row more than `limit`, if there are that many. */
export function pageOf<Row>(rows: readonly Row[], limit: number | undefined, keyOf: (row: Row) => Key): Page<Row> {
  if (limit === undefined || rows.length <= limit) return { rows };
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return last === undefined ? { rows: shown } : { rows: shown, next: cursorOf(keyOf(last)) };
}

const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString("base64url");

export function keyOfCursor(cursor: string | undefined, length: number): string[] | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  const key = parsed(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(key) || key.length !== length || !key.every((part) => typeof part === "string"))
    throw new InvalidCursor();
  return key;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
