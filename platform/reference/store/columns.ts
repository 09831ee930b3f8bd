import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs, QueryId } from "kysely";
import { CONFIGURATION } from "../../contract/configuration-fields";
import { isCanonicalUuid } from "../../values/uuid";
import { WrongData } from "./failure";
import { CONTAINED, notStorable, valueChanged } from "./messages";

// What `COLUMNS` says is checked before a row is stored, and after it is read.

type IsRight = (value: unknown) => boolean;

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

/** The checks of the values, by kind of column. */
const KINDS: Readonly<Record<keyof typeof CONTAINED, IsRight>> = {
  // An id can become the name of a folder, so it contains nothing that leads elsewhere.
  id: (value) => typeof value === "string" && /^[\w-]+$/.test(value),
  uuid: (value) => typeof value === "string" && isCanonicalUuid(value),
  instant: isInstant,
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  flag: (value) => value === 0 || value === 1,
  object: (value) => isObject(jsonIn(value)),
  texts(value) {
    if (value === "[]") return true;
    const list = jsonIn(value);
    return Array.isArray(list) && list.every((text) => typeof text === "string");
  },
};

/**
 * What columns contain, by name. A name means the same in every table. `null` is allowed, because the tables say which
 * columns need a value.
 */
const COLUMNS: Readonly<Record<string, keyof typeof CONTAINED>> = {
  id: "id",
  organization_id: "uuid",
  user_id: "id",
  group_id: "uuid",
  parent_id: "uuid",
  owner_id: "uuid",
  number: "count",
  cascade_databases: "count",
  storage_bytes: "count",
  size_bytes: "count",
  created_at: "instant",
  deleted_at: "instant",
  group_deleted_at: "instant",
  branched_at: "instant",
  other_locations: "texts",
  added_locations: "texts",
  scopes: "texts",
  data: "object",
  jwk: "object",
  overages: "flag",
  require_mfa: "flag",
  restore_enabled: "flag",
  delete_protection: "flag",
  archived: "flag",
  returns_with_group: "flag",
  sleeping: "flag",
  ...Object.fromEntries(
    Object.entries(CONFIGURATION).flatMap(([name, { kind }]) => {
      if (kind === "size") return [];
      return [[name, kind === "list" ? "texts" : "flag"]];
    }),
  ),
};

/** The columns by which messages name a row. */
const NAMING = ["id", "organization_id", "number", "name"];

/** The columns in `COLUMNS`, as the checks go through them. */
const CHECKED = Object.entries(COLUMNS).map(([column, kind]) => [column, KINDS[kind]] as const);

/** Returns the first column of a row with a wrong value. */
function findWrongColumn(row: object, columns = CHECKED): string | undefined {
  for (const [column, isRight] of columns) {
    const value: unknown = row[column as keyof typeof row];
    if (value !== null && value !== undefined && !isRight(value)) return column;
  }
  return undefined;
}

function columnFacts(row: object, column: string) {
  const names = NAMING.filter((name) => name in row && name !== column);
  return {
    row: names.map((name) => `${name} ${JSON.stringify(row[name as keyof typeof row])}`).join(", "),
    field: column,
    accepted: CONTAINED[COLUMNS[column] ?? "id"],
  };
}

/**
 * Returns a row or the changes of a row that may be stored.
 *
 * @param names The columns that name the row, if its changes do not.
 * @throws WrongData if a value is wrong, which is a defect. The transaction then changes nothing.
 */
export function checkedColumns<Row extends object>(row: Row, names: object = {}): Row {
  const column = findWrongColumn(row);
  if (column !== undefined) throw new WrongData(notStorable(columnFacts({ ...names, ...row }, column)));
  return row;
}

/**
 * Returns rows that were read from the store.
 *
 * @throws WrongData if a value is wrong: another program has changed it, because this one stores no such value.
 */
export function checkedRows<Row extends object>(rows: readonly Row[]): readonly Row[] {
  const [first] = rows;
  const columns = first ? CHECKED.filter(([column]) => Object.hasOwn(first, column)) : [];
  for (const row of rows) {
    const column = findWrongColumn(row, columns);
    if (column !== undefined) throw new WrongData(valueChanged(columnFacts(row, column)));
  }
  return rows;
}

/** Checks the rows that queries return. Statements written as text are excepted: their columns may mean anything. */
export class StoredRows implements KyselyPlugin {
  readonly #built = new WeakSet<QueryId>();

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    if (node.kind !== "RawNode") this.#built.add(queryId);
    return node;
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs) {
    if (this.#built.has(queryId)) checkedRows(result.rows);
    return result;
  }
}
