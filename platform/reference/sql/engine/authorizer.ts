import { constants } from "node:sqlite";
import { code } from "../../../values/code";
import type { Rights } from "./jobs";
import {
  DATABASE_LIST,
  NO_JOIN_BY_NAME,
  notAllowed,
  permissionMissing,
  pragmaNotAllowed,
  triggerNeeds,
} from "./messages";
import { unquotedSqlWords } from "./parameters";

const { SQLITE_OK, SQLITE_DENY, SQLITE_IGNORE } = constants;

/** Actions that change data or schema, with the fine-grained permission that each requires. */
const CHANGES = new Map<number, string>([
  [constants.SQLITE_INSERT, "data_add"],
  [constants.SQLITE_UPDATE, "data_update"],
  [constants.SQLITE_DELETE, "data_delete"],
  ...[
    constants.SQLITE_CREATE_INDEX,
    constants.SQLITE_CREATE_TABLE,
    constants.SQLITE_CREATE_TEMP_INDEX,
    constants.SQLITE_CREATE_TEMP_TABLE,
    constants.SQLITE_CREATE_TEMP_TRIGGER,
    constants.SQLITE_CREATE_TEMP_VIEW,
    constants.SQLITE_CREATE_TRIGGER,
    constants.SQLITE_CREATE_VIEW,
    constants.SQLITE_CREATE_VTABLE,
  ].map((action) => [action, "schema_add"] as const),
  ...[constants.SQLITE_ALTER_TABLE, constants.SQLITE_REINDEX, constants.SQLITE_ANALYZE].map(
    (action) => [action, "schema_update"] as const,
  ),
  ...[
    constants.SQLITE_DROP_INDEX,
    constants.SQLITE_DROP_TABLE,
    constants.SQLITE_DROP_TEMP_INDEX,
    constants.SQLITE_DROP_TEMP_TABLE,
    constants.SQLITE_DROP_TEMP_TRIGGER,
    constants.SQLITE_DROP_TEMP_VIEW,
    constants.SQLITE_DROP_TRIGGER,
    constants.SQLITE_DROP_VIEW,
    constants.SQLITE_DROP_VTABLE,
  ].map((action) => [action, "schema_delete"] as const),
]);

const TRIGGERS = new Set<number>([constants.SQLITE_CREATE_TRIGGER, constants.SQLITE_CREATE_TEMP_TRIGGER]);

/** The permissions that the statements of a trigger can require. SQLite does not report them when it is created. */
const OF_TRIGGERS = ["data_read", "data_add", "data_update", "data_delete"];

/** For these actions, SQLite names the table in the second argument; the first one names the index or trigger. */
const SECOND = new Set<number>([
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_TEMP_INDEX,
  constants.SQLITE_CREATE_TRIGGER,
  constants.SQLITE_CREATE_TEMP_TRIGGER,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TEMP_INDEX,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_DROP_TEMP_TRIGGER,
  constants.SQLITE_ALTER_TABLE,
]);

/** Virtual table modules that keep their data in the database itself. */
const MODULES = new Set(["fts3", "fts4", "fts5", "fts4aux", "fts5vocab", "rtree", "rtree_i32", "geopoly"]);

const FORBIDDEN_FUNCTIONS = new Set(["load_extension", "fts3_tokenizer"]);

/** Pragmas that only read. Their argument selects what to read, or is ignored. */
const READING = new Set(
  code`collation_list compile_options data_version database_list foreign_key_check foreign_key_list freelist_count
  function_list index_info index_list index_xinfo integrity_check module_list page_count pragma_list quick_check stats
  table_info table_list table_xinfo`.split(/\s+/),
);

/** Pragmas that may be both read and set, because they affect only this database or this stream. */
const SETTABLE = new Set(["defer_foreign_keys", "foreign_keys", "user_version"]);

/** Pragmas that may only be read. */
const READABLE = new Set(
  code`analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size cache_spill cell_size_check
  checkpoint_fullfsync count_changes default_cache_size empty_result_callbacks encoding full_column_names fullfsync
  hard_heap_limit ignore_check_constraints journal_mode journal_size_limit legacy_alter_table locking_mode
  max_page_count mmap_size page_size query_only read_uncommitted recursive_triggers reverse_unordered_selects
  schema_version secure_delete short_column_names soft_heap_limit synchronous temp_store threads trusted_schema
  wal_autocheckpoint writable_schema`.split(/\s+/),
);

const isInternalTable = (table: string | null): boolean => table !== null && /^sqlite_/i.test(table);

/** Returns whether a table is the table-valued function of a known pragma. SQLite asks about the pragma separately. */
const isOfPragma = (table: string | null): boolean => {
  const [, name = ""] = /^pragma_(\w+)$/i.exec(table ?? "") ?? [];
  return [READING, SETTABLE, READABLE].some((pragmas) => pragmas.has(name.toLowerCase()));
};

/** Returns the key of a table or trigger among the definitions of a schema. */
export const objectKey = (type: string, name: string): string => `${type} ${name.toLowerCase()}`;

/** The table with the highest ids of AUTOINCREMENT. Dropping or renaming another table changes it too. */
const SEQUENCE = "sqlite_sequence";

export interface AlteredTable {
  readonly schema: string;
  readonly table: string;
}

/** Facts that SQLite reports about the statement being prepared. */
export interface StatementFacts {
  writes: boolean;
  reads: boolean;
  /** Whether the statement itself, and not only a trigger, inserts into a table that is not internal to SQLite. */
  inserts: boolean;
  /** Whether the statement changes the schema. */
  changesSchema: boolean;
  /** The table that the statement alters. */
  alteredTable: AlteredTable | undefined;
  /** Whether the statement creates an index. */
  indexes: boolean;
  /** Whether the statement commits a transaction or releases a savepoint. */
  commits: boolean;
  /** Whether the statement changes the state of its connection, so that no other stream may reuse the connection. */
  changesConnection: boolean;
  /** The reason why the statement was refused. */
  refusal: string | undefined;
  /** Whether the statement was refused because it writes. */
  isWriteRefused: boolean;
  /** The tables that get new or changed rows. */
  readonly filled: Set<string>;
  /** The triggers that insert or change rows. */
  readonly triggers: Set<string>;
}

const nothingSeen = (): StatementFacts => ({
  writes: false,
  reads: false,
  inserts: false,
  changesSchema: false,
  alteredTable: undefined,
  indexes: false,
  commits: false,
  changesConnection: false,
  refusal: undefined,
  isWriteRefused: false,
  filled: new Set(),
  triggers: new Set(),
});

/** The rights that apply to a statement, and details taken from the text of the statement. */
export interface Expectation {
  readonly rights: Rights;
  readonly isVacuum: boolean;
  /** The only file URI that the statement may attach. */
  readonly attaching: string | undefined;
  /** Whether the statement lists the databases of the connection without their files. */
  readonly listsDatabases: boolean;
  /** The SQL of tables, views and triggers by `objectKey`, if the rights have rules. */
  readonly definitions?: ReadonlyMap<string, string> | undefined;
}

/** Returns whether the SQL of a statement, trigger or table contains a conflict clause that replaces rows. */
const mayReplace = (sql: string): boolean =>
  /replace/i.test(sql) &&
  / (or replace|replace into|on conflict replace) /.test(` ${unquotedSqlWords(sql).join(" ")} `);

/** Returns whether the SQL of a statement, view or trigger may join tables by the names of their columns. */
const joinsByName = (sql: string): boolean => {
  const [first, second, ...rest] = unquotedSqlWords(sql);
  if (first === "create" && second === "virtual") return false;
  return [second, ...rest].some((word) => word === "using" || word === "natural");
};

/** Allows or denies each action of a statement while SQLite prepares the statement. */
export class Authorizer {
  expected: Expectation | undefined;
  seen: StatementFacts = nothingSeen();
  /** Whether any statement so far could change the state of the connection. */
  hasMarked = false;
  /**
   * Whether internal statements see the paths of files. A dump must not, because it reads virtual tables, which may take
   * their rows from `pragma_database_list`.
   */
  isListingFiles = false;

  begin(expected: Expectation | undefined): void {
    this.expected = expected;
    this.seen = nothingSeen();
  }

  readonly decide = (
    action: number,
    first: string | null,
    second: string | null,
    schema: string | null,
    trigger: string | null,
  ): number => {
    // Allows all other actions of internal statements, for which `expected` is not set.
    if (!this.expected)
      return action === constants.SQLITE_PRAGMA && first === "database_list" && !this.isListingFiles
        ? SQLITE_IGNORE
        : SQLITE_OK;
    const { rights, isVacuum, attaching } = this.expected;
    switch (action) {
      case constants.SQLITE_ATTACH:
        if (first !== null && first === attaching) this.#markConnectionChanged();
        else if (!(isVacuum && first === ""))
          return this.#deny(notAllowed({ feature: isVacuum ? "VACUUM INTO" : "ATTACH" }));
        return SQLITE_OK;
      case constants.SQLITE_DETACH:
        this.#markConnectionChanged();
        return SQLITE_OK;
      case constants.SQLITE_TRANSACTION:
      case constants.SQLITE_SAVEPOINT:
        this.seen.commits = first === "COMMIT" || first === "RELEASE";
        return SQLITE_OK;
      case constants.SQLITE_PRAGMA:
        return this.#pragma((first ?? "").toLowerCase(), second);
      case constants.SQLITE_FUNCTION:
        // `optimize` of a full-text table is the only function that changes rows.
        if (second?.toLowerCase() === "optimize") this.seen.writes = true;
        return FORBIDDEN_FUNCTIONS.has((second ?? "").toLowerCase())
          ? this.#deny(notAllowed({ feature: second ?? "" }))
          : SQLITE_OK;
      case constants.SQLITE_CREATE_VTABLE:
        if (!MODULES.has((second ?? "").toLowerCase()))
          return this.#deny(notAllowed({ feature: `module ${second ?? ""}` }));
        break;
      case constants.SQLITE_SELECT:
        this.seen.reads = true;
        if (trigger === null) return SQLITE_OK;
        // A view of this name could show the files in place of other columns.
        if (this.expected.listsDatabases) return this.#deny(DATABASE_LIST);
        // Here, because a full-text table selects from a view only while the statement runs.
        return this.#permitsJoinsByName(["view", "trigger"].map((type) => this.#defined(type, trigger)))
          ? SQLITE_OK
          : this.#deny(NO_JOIN_BY_NAME);
      case constants.SQLITE_READ:
        return this.#read(first);
    }
    const permission = CHANGES.get(action);
    if (permission === undefined) return SQLITE_OK;
    // Allows the reindex that SQLite reports when it creates an index, because this reindex requires no additional
    // permission.
    if (action === constants.SQLITE_REINDEX && this.seen.writes) return SQLITE_OK;
    this.seen.writes = true;
    if (schema === "temp") this.#markConnectionChanged();
    if (!rights.writes) return this.#denyWrite(rights);
    const table = SECOND.has(action) ? second : first;
    if (permission.startsWith("schema_")) this.seen.changesSchema = true;
    if (action === constants.SQLITE_ALTER_TABLE && first !== null && second !== null)
      this.seen.alteredTable = { schema: first, table: second };
    if (action === constants.SQLITE_CREATE_INDEX || action === constants.SQLITE_CREATE_TEMP_INDEX)
      this.seen.indexes = true;
    if (action === constants.SQLITE_INSERT && !isInternalTable(table) && trigger === null) this.seen.inserts = true;
    if (TRIGGERS.has(action)) {
      const missing = OF_TRIGGERS.find((each) => !this.#hasPermission(each, null));
      if (missing !== undefined) return this.#deny(triggerNeeds({ permission: missing }));
    }
    if ((action === constants.SQLITE_INSERT || action === constants.SQLITE_UPDATE) && first !== null) {
      this.seen.filled.add(first);
      if (trigger !== null) this.seen.triggers.add(trigger);
    }
    const isOwn = (isInternalTable(table) || isInternalTable(first)) && (first !== SEQUENCE || this.seen.changesSchema);
    if (isVacuum || isOwn || this.#hasPermission(permission, table)) return SQLITE_OK;
    return this.#deny(permissionMissing({ permission, table }));
  };

  #read(table: string | null): number {
    if (isInternalTable(table) || isOfPragma(table) || table === "" || this.expected?.isVacuum) return SQLITE_OK;
    if (this.#hasPermission("data_read", table)) return SQLITE_OK;
    // Allows the read that SQLite reports when it creates an index, because creating an index does not require
    // permission to read the table.
    if (this.seen.indexes && this.#hasPermission("schema_add", table)) return SQLITE_OK;
    return this.#deny(permissionMissing({ permission: "data_read", table }));
  }

  #pragma(name: string, value: string | null): number {
    // In a FULL JOIN, SQLite does not ask whether the column with the path may be read.
    if (name === "database_list" && !this.expected?.listsDatabases) return this.#deny(DATABASE_LIST);
    // Setting the encoding that every database has changes nothing.
    if (name === "encoding" && /^utf-?8$/i.test(value ?? "")) return SQLITE_OK;
    if (READING.has(name) || (READABLE.has(name) && value === null)) return SQLITE_OK;
    if (!SETTABLE.has(name)) return this.#deny(pragmaNotAllowed({ name, hasValue: value !== null }));
    if (value === null) return SQLITE_OK;
    this.#markConnectionChanged();
    if (name !== "user_version") return SQLITE_OK;
    this.seen.writes = true;
    const rights = this.expected?.rights;
    if (rights && !rights.writes) return this.#denyWrite(rights);
    return this.#hasPermission("schema_update", null)
      ? SQLITE_OK
      : this.#deny(permissionMissing({ permission: "schema_update", table: null }));
  }

  /**
   * Returns why the token does not allow a statement although SQLite has reported nothing that it forbids, or
   * `undefined`. Replacing rows deletes those that conflict with new ones, which SQLite does not report.
   */
  unreportedRefusal(text: string): string | undefined {
    if (!this.expected?.rights.rules) return undefined;
    if (!this.#permitsJoinsByName([text])) return NO_JOIN_BY_NAME;
    const { filled, triggers } = this.seen;
    if (filled.size === 0) return undefined;
    const isForAll = mayReplace(text) || [...triggers].some((name) => mayReplace(this.#defined("trigger", name)));
    const table = [...filled].find(
      (name) =>
        !isInternalTable(name) &&
        !this.#hasPermission("data_delete", name) &&
        (isForAll || mayReplace(this.#defined("table", name))),
    );
    return table === undefined ? undefined : permissionMissing({ permission: "data_delete", table });
  }

  /**
   * Returns whether the token may run SQL that joins tables by name, if any of it does. SQLite does not report the
   * columns that USING and NATURAL compare, so they could be read without permission.
   */
  #permitsJoinsByName(sql: readonly string[]): boolean {
    return this.#hasPermission("data_read", null) || !sql.some(joinsByName);
  }

  #defined(type: string, name: string): string {
    return this.expected?.definitions?.get(objectKey(type, name)) ?? "";
  }

  /** Returns whether the token has the permission on a table, or on all tables if that is null. */
  #hasPermission(permission: string, table: string | null): boolean {
    const rules = this.expected?.rights.rules ?? null;
    if (rules === null) return true;
    return rules.some(
      ({ t, a }) =>
        a.includes(permission) &&
        (t === undefined ||
          t === null ||
          (table !== null && t.some((name) => name.toLowerCase() === table.toLowerCase()))),
    );
  }

  #markConnectionChanged(): void {
    this.seen.changesConnection = true;
    this.hasMarked = true;
  }

  #denyWrite({ refusal }: Rights): number {
    if (this.seen.refusal === undefined) this.seen.isWriteRefused = true;
    return this.#deny(refusal.writes);
  }

  #deny(reason: string): number {
    this.seen.refusal ??= reason;
    return SQLITE_DENY;
  }
}
