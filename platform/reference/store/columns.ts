import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import { isUuid } from "../../values/uuid";
import { WrongData } from "./failure";
import { notStorable, valueChanged } from "./messages";

/** What a value is. `said` completes the sentence "it is not …". */
interface Kind {
  readonly said: string;
  is(value: unknown): boolean;
}

const INSTANT = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Returns whether a text is a time as the store writes it, so that times sort as text. */
export const isInstant = (text: unknown): boolean => typeof text === "string" && INSTANT.test(text);

/** Returns the value of a JSON text, or `undefined` if the text is not JSON. */
export function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

// An id of the store can become the name of a folder, so it contains nothing that leads elsewhere.
const id: Kind = { said: "an id", is: (value) => typeof value === "string" && /^[\w-]+$/.test(value) };
const uuid: Kind = { said: "a UUID", is: (value) => typeof value === "string" && isUuid(value) };
const instant: Kind = { said: "a time in UTC with milliseconds (RFC 3339)", is: isInstant };
const count: Kind = { said: "a count", is: (value) => Number.isSafeInteger(value) && Number(value) >= 0 };
const flag: Kind = { said: "0 or 1", is: (value) => value === 0 || value === 1 };
const object: Kind = { said: "a JSON object", is: (value) => isObject(jsonIn(value)) };
const texts: Kind = {
  said: "a JSON list of texts",
  is(value) {
    const list = value === "[]" ? [] : jsonIn(value);
    return Array.isArray(list) && list.every((text) => typeof text === "string");
  },
};

/**
 * What columns contain, by name. A name means the same in every table. `null` is allowed, because the tables say which
 * columns need a value.
 */
const COLUMNS: Readonly<Record<string, Kind>> = {
  id,
  organization_id: uuid,
  user_id: uuid,
  group_id: uuid,
  parent_id: uuid,
  owner_id: uuid,
  number: count,
  cascade_databases: count,
  storage_bytes: count,
  size_bytes: count,
  created_at: instant,
  deleted_at: instant,
  group_deleted_at: instant,
  branched_at: instant,
  other_locations: texts,
  added_locations: texts,
  allowed_ips: texts,
  allowed_aws_vpc_ids: texts,
  scopes: texts,
  data: object,
  jwk: object,
  overages: flag,
  require_mfa: flag,
  restore_enabled: flag,
  delete_protection: flag,
  archived: flag,
  returns_with_group: flag,
  sleeping: flag,
  allow_attach: flag,
  block_reads: flag,
  block_writes: flag,
};

/** The columns by which messages name a row. */
const NAMING = ["id", "organization_id", "number", "name"];

/** Returns the first column of a row with a wrong value. */
function wrongIn(row: object, columns: readonly string[]): string | undefined {
  return columns.find((column) => {
    const value = row[column as keyof typeof row] as unknown;
    return value !== null && value !== undefined && COLUMNS[column]?.is(value) === false;
  });
}

const checkedColumns = (row: object): string[] => Object.keys(row).filter((column) => Object.hasOwn(COLUMNS, column));

function factsOf(row: object, column: string) {
  const names = NAMING.filter((name) => name in row && name !== column);
  const named = names.map((name) => `${name} ${JSON.stringify(row[name as keyof typeof row])}`).join(", ");
  return {
    row: named === "" ? "a row" : `the row with ${named}`,
    field: column,
    accepted: COLUMNS[column]?.said ?? "",
  };
}

/**
 * Returns a row or the changes of a row that may be stored.
 *
 * @throws WrongData if a value is wrong, which is a defect. The transaction then changes nothing.
 */
export function storable<Row extends object>(row: Row): Row {
  const column = wrongIn(row, checkedColumns(row));
  if (column !== undefined) throw new WrongData(notStorable(factsOf(row, column)));
  return row;
}

/**
 * Returns rows that were read from the store.
 *
 * @throws WrongData if a value is wrong: another program has changed it, because this one stores no such value.
 */
export function stored<Row extends object>(rows: readonly Row[]): readonly Row[] {
  const [first] = rows;
  const columns = first ? checkedColumns(first) : [];
  for (const row of rows) {
    const column = wrongIn(row, columns);
    if (column !== undefined) throw new WrongData(valueChanged(factsOf(row, column)));
  }
  return rows;
}

/** Checks the rows that queries return. */
export class StoredRows implements KyselyPlugin {
  transformQuery = ({ node }: PluginTransformQueryArgs) => node;

  async transformResult({ result }: PluginTransformResultArgs) {
    stored(result.rows);
    return result;
  }
}
