import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { code } from "../../../values/code";
import { sqlIdentifier } from "../../../values/sql-quoting";
import { nextStatement } from "../../../values/sql-script";
import { columnsJson, rowJson, type StatementResult } from "../hrana-json";
import { alteredTable, assertColumnAlteration, type ColumnAlteration, columnAlterationAt } from "./alter-column";
import { attachingAt } from "./attach";
import { type AlteredTable, Authorizer, objectKey, type StatementFacts } from "./authorizer";
import { FILE } from "./database-files";
import { blockedSqlFailure, type FailingStatement, SqlFailure, sqlFailureOf } from "./failure";
import type { Rights, Statement } from "./jobs";
import { MOST_BYTES, MOST_PAGES, MOST_RESULT, PAGE, TEMPORARY_PAGES } from "./limits";
import { IN_READ_ONLY, MANY_STATEMENTS, NO_STATEMENT, TOO_LARGE } from "./messages";
import { boundOf, unquotedSqlWords } from "./parameters";
import { listingDatabasesAt, type PreparedStatement, prepareAt, readOnlyBegin, withoutLockAtBegin } from "./script";
import { addVectorFunctions } from "./vectors";

/** The result of a statement. */
export interface ExecutionResult extends StatementResult {
  /** Whether the statement may have committed changes. */
  readonly commits: boolean;
}

type ReadyStatement = PreparedStatement & {
  readonly seen: StatementFacts;
  /** Set if the prepared statement stands for the alteration of a column. */
  readonly alteration: ColumnAlteration | undefined;
  /** Whether the statement begins a transaction that must not write. */
  readonly beginsReadOnly: boolean;
  readonly listsDatabases: boolean;
};

interface PrepareOptions {
  readonly start?: number;
  readonly isDescribed?: boolean;
  readonly isAgain?: boolean;
}

/**
 * Matches statements that are prepared once and then reused, because preparing a statement takes longer than running a
 * small query.
 */
const PLAIN = /^(select|insert|update|delete|replace|with|begin|commit|rollback)\b/i;

/** Matches statements that may insert rows themselves, and not only by triggers. */
const INSERTING = /^(insert|replace|with)\b/i;

/** The maximum number of prepared statements that a connection keeps. Beyond it, all are dropped. */
const MOST_KNOWN = 100;
/** The maximum length of a statement that is kept, in characters. Longer ones are seldom sent twice. */
const LONGEST_KNOWN = 4_096;

/** Returns whether a statement begins a transaction and takes the write lock immediately. */
const locksAtBegin = (text: string): boolean =>
  /^begin\b/i.test(text) && /^begin\s+(immediate|exclusive)\b/i.test(text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " "));

/** Opcodes, besides `Transaction` with a second operand, that make SQLite say that a statement writes. */
const WRITING = new Set(["Checkpoint", "JournalMode", "Vacuum"]);

/** Matches statements that change nothing, unless SQLite reports a change while preparing them. */
const QUIET = /^(select|values|with|explain|pragma|begin|commit|end|rollback|savepoint|release)\b/i;

/** Matches statements that may take back changes of the schema within a transaction. */
const ROLLBACK = /^rollback\b/i;

const changesNothing = ({ text, seen }: ReadyStatement): boolean =>
  QUIET.test(text) && !seen.writes && !seen.changesConnection && !locksAtBegin(text);

/** Selects the indexes that may be vector indexes, with the statement that drops each of them. */
const VECTOR_INDEXES = code`select format('drop index "%w"', name), sql from sqlite_schema
  where type = 'index' and sql like '%libsql_vector_idx%'`;

/** A connection to one database. Only one stream uses it at a time. */
export class SqliteConnection {
  readonly #durable: boolean;
  readonly #database: DatabaseSync;
  readonly #authorizer = new Authorizer();
  readonly #counts: StatementSync;
  readonly #schema: StatementSync;
  #pages = 0;
  /** At most `MOST_KNOWN` prepared statements, by text. */
  readonly #known = new Map<string, ReadyStatement>();
  /** How much the result of the current job may still grow, in characters of JSON. */
  #room = MOST_RESULT;
  /** The SQL of all tables, views and triggers, if a token with fine-grained permissions needs it. */
  #definitions: ReadonlyMap<string, string> | undefined;
  /** Whether the latest transaction was begun with READONLY. */
  #isReadTransaction = false;

  /** Called before a statement that may change something runs. */
  change: () => void = () => undefined;

  constructor(
    folder: string,
    durable: boolean,
    /** Whether SQLite has opened the database for reading only. */
    readonly isReader = false,
  ) {
    // Clients may fill shadow tables, as a dump does. The authorizer rejects all else that SQLite's defensive mode would.
    const options = { timeout: 0, defensive: false, readOnly: isReader };
    this.#durable = durable;
    this.#database = new DatabaseSync(join(folder, FILE), options as object);
    const { limits } = this.#database as DatabaseSync & { limits?: { length: number; attach: number } };
    if (limits) limits.length = MOST_BYTES;
    // Turns off automatic checkpoints. Only the history checkpoints the write-ahead log, because past states are read
    // from the log.
    this.#database.exec(
      `pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma synchronous = ${durable ? "full" : "off"};
      pragma foreign_keys = on; pragma temp.max_page_count = ${TEMPORARY_PAGES}`,
    );
    addVectorFunctions(this.#database);
    this.#database.setAuthorizer(this.#authorizer.decide);
    this.#counts = this.#database.prepare(code`select total_changes(), changes(), last_insert_rowid()`);
    this.#counts.setReadBigInts(true);
    this.#counts.setReturnArrays(true);
    this.#schema = this.#database.prepare("select * from sqlite_schema");
  }

  /** The size of the database in bytes. */
  get bytes(): number {
    const [[bytes] = [0]] = this.own(code`select page_count * page_size from pragma_page_count, pragma_page_size`);
    return Number(bytes);
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Whether the connection may have state that another stream would notice, such as a temporary table. SQLite runs some
   * pragmas, such as `foreign_keys`, while it prepares them, so it does not matter whether a statement has run.
   */
  get isMarked(): boolean {
    return this.#authorizer.hasMarked;
  }

  mark(): void {
    this.#authorizer.hasMarked = true;
  }

  /** Whether a new stream would find the connection as if it had just been opened. */
  get isClean(): boolean {
    return !this.isMarked && this.#counted().every((count) => count === 0n);
  }

  /** The file paths of attached databases. */
  get attached(): string[] {
    return this.#attached().map(([, file]) => `${file}`);
  }

  /** Returns the quoted name and the file path of each attached database. */
  #attached(): unknown[][] {
    if (!this.isMarked) return [];
    this.#authorizer.isListingFiles = true;
    try {
      return this.own(
        code`select format('"%w"', name), file from pragma_database_list where name not in ('main', 'temp')`,
      );
    } finally {
      this.#authorizer.isListingFiles = false;
    }
  }

  /** Prepares the connection for a new job, and sets the maximum size of the database in pages. */
  begin(pages: number): void {
    this.#room = MOST_RESULT;
    if (pages === this.#pages) return;
    // Reads the page size of the database, because an uploaded file may use a page size other than `PAGE`.
    const [[size] = [PAGE]] = this.own("pragma page_size");
    const most = Math.max(1, Math.min(Math.floor((pages * PAGE) / Number(size)), MOST_PAGES));
    this.own(`pragma max_page_count = ${most}`);
    this.#pages = pages;
  }

  /**
   * Drops the vector indexes of libSQL, which an uploaded file may have. Their entries are in other tables, so SQLite
   * would find no rows in them.
   */
  dropVectorIndexes(): void {
    for (const [drop, sql] of this.own(VECTOR_INDEXES))
      if (unquotedSqlWords(`${sql}`).includes("libsql_vector_idx")) this.own(`${drop}`);
  }

  /** Runs an internal statement, which no token restricts. */
  own(sql: string, ...values: string[]): unknown[][] {
    this.#authorizer.begin(undefined);
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as unknown[][];
  }

  /** Runs an internal statement and yields its rows, with integers as `bigint`. */
  *rows(sql: string): Iterable<unknown[]> {
    this.#authorizer.begin(undefined);
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    yield* statement.iterate() as Iterable<unknown> as Iterable<unknown[]>;
  }

  /**
   * Prepares the statement at a position in a script.
   *
   * @param options.start The position from which the place of an error is counted.
   * @throws SqlFailure with the reason if the statement is invalid or not allowed.
   */
  prepare(sql: string, from: number, given: Rights, options: PrepareOptions = {}): ReadyStatement {
    const { start = from, isDescribed = false, isAgain = false } = options;
    const rights = this.#within(given);
    const attaching = attachingAt(sql, from, rights);
    const readOnly = readOnlyBegin(sql, from);
    const text = readOnly ?? (rights.writes ? sql : withoutLockAtBegin(sql, from));
    const alteration = columnAlterationAt(sql, from);
    const rewritten = attaching ?? listingDatabasesAt(sql, from);
    const listsDatabases = rewritten !== undefined && !attaching;
    const isVacuum = /^vacuum\b/i.test(sql.slice(from, from + 10));
    try {
      // Creates the file of a database that has not been used yet, because SQLite attaches it for reading only.
      if (attaching && !existsSync(join(attaching.folder, FILE)))
        new SqliteConnection(attaching.folder, this.#durable).close();
      if (isAgain || !this.isTransaction) this.#readSchema(rights);
      if (rights.rules) this.#definitions ??= this.#readDefinitions();
      const definitions = rights.rules ? this.#definitions : undefined;
      this.#authorizer.begin({ rights, isVacuum, attaching: attaching?.address, listsDatabases, definitions });
      const replacement = rewritten?.text ?? alteration?.renaming;
      const prepared =
        replacement === undefined ? prepareAt(this.#database, text, from) : prepareAt(this.#database, replacement, 0);
      const { seen } = this.#authorizer;
      const refusal =
        readRefusal(seen, prepared.statement, rights) ?? this.#authorizer.unreportedRefusal(prepared.text);
      if (refusal !== undefined) throw blockedSqlFailure(refusal);
      if (alteration) assertColumnAlteration(alteration);
      const end = alteration?.end ?? (rewritten ? from + prepared.end - rewritten.added : prepared.end);
      return { ...prepared, end, seen, alteration, beginsReadOnly: readOnly !== undefined, listsDatabases };
    } catch (thrown) {
      const { refusal, isWriteRefused } = this.#authorizer.seen;
      const endsStream = isWriteRefused && rights.refusal.endsTransaction && this.isTransaction;
      if (refusal !== undefined) throw blockedSqlFailure(refusal, endsStream);
      if (!isAgain && this.isTransaction) return this.prepare(sql, from, rights, { ...options, isAgain: true });
      throw this.#failureOf(thrown, { text: sql.slice(from), before: sql.slice(start, from), isDescribed });
    }
  }

  /**
   * Makes SQLite reload the schema, which other connections may have changed. Reading the schema also determines which
   * snapshot a transaction sees. In a transaction, the schema is therefore reloaded only after preparing a statement
   * has failed. For the same reason, the definitions that a token with fine-grained permissions needs are kept from
   * before the transaction, until the transaction changes the schema itself.
   */
  #readSchema({ rules }: Rights): void {
    this.#authorizer.begin(undefined);
    this.#definitions = undefined;
    if (rules === null) this.#schema.get();
    else this.#definitions = this.#readDefinitions();
  }

  /** Returns the SQL of what the connection's databases define. Those of one name in several databases are joined. */
  #readDefinitions(): ReadonlyMap<string, string> {
    const definitions = new Map<string, string>();
    for (const [place] of [["main"], ...this.#attached()])
      for (const [type, name, sql] of this.own(code`select type, name, sql from ${place}.sqlite_schema`)) {
        const key = objectKey(`${type}`, `${name}`);
        definitions.set(key, `${definitions.get(key) ?? ""} ${sql ?? ""}`);
      }
    return definitions;
  }

  /** Returns the rights that are left in the open transaction. */
  #within(rights: Rights): Rights {
    if (!rights.writes || !this.#isReadTransaction || !this.isTransaction) return rights;
    return { ...rights, writes: false, refusal: { ...rights.refusal, writes: IN_READ_ONLY, endsTransaction: false } };
  }

  /** Prepares a string that must contain exactly one statement. */
  single(sql: string, given: Rights, isDescribed = false): ReadyStatement {
    const rights = this.#within(given);
    // With restricted rights, a statement is prepared again for each run, so that each run is authorized.
    const isRestricted = rights.rules !== null || !rights.reads || !rights.writes;
    const known = isRestricted ? undefined : this.#known.get(sql);
    if (known) {
      // The authorizer needs the caller's rights even for a cached statement, because SQLite prepares the statement
      // again after a schema change.
      const { listsDatabases } = known;
      this.#authorizer.begin({ rights, isVacuum: false, attaching: undefined, listsDatabases });
      return known;
    }
    const prepared = this.#single(sql, rights, isDescribed);
    if (isRestricted || prepared.seen.changesConnection || sql.length > LONGEST_KNOWN || !PLAIN.test(prepared.text))
      return prepared;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(sql, prepared);
    return prepared;
  }

  #single(sql: string, rights: Rights, isDescribed: boolean): ReadyStatement {
    const from = nextStatement(sql, 0);
    if (from >= sql.length) throw new SqlFailure(NO_STATEMENT, "SQL_NO_STATEMENT");
    const prepared = this.prepare(sql, from, rights, { start: 0, isDescribed });
    if (nextStatement(sql, prepared.end) < sql.length) throw new SqlFailure(MANY_STATEMENTS, "SQL_MANY_STATEMENTS");
    return prepared;
  }

  execute({ sql, ...given }: Statement & { readonly sql: string }, rights: Rights): ExecutionResult {
    const began = performance.now();
    const prepared = this.single(sql, rights);
    const bound = boundOf(prepared.text, given);
    const result = this.run(prepared, bound as never, given.want_rows ?? true);
    return { ...result, milliseconds: performance.now() - began };
  }

  /** Runs a prepared statement once. */
  run(ready: ReadyStatement, bound: [], wantRows: boolean): Omit<ExecutionResult, "milliseconds"> {
    if (!changesNothing(ready)) this.change();
    const { text, statement, seen, alteration, beginsReadOnly } = ready;
    if (!this.isTransaction) this.#isReadTransaction = beginsReadOnly;
    if (seen.changesSchema || ROLLBACK.test(text)) this.#definitions = undefined;
    // SQLite also reports the inner statements of VACUUM and of virtual tables, most of them while the statement runs.
    // Their changes do not count.
    const inserts = seen.inserts && INSERTING.test(text);
    const changesRows = seen.writes && !seen.changesSchema;
    const [before] = changesRows ? this.#counted() : [0n];
    const hasRows = statement.columns().length > 0;
    const rows: string[] = [];
    let read = 0;
    let iterator: IterableIterator<unknown[]> | undefined;
    try {
      if (alteration && seen.alteredTable) this.#alterColumn(statement, alteration, seen.alteredTable);
      else if (!hasRows) statement.run(...bound);
      else {
        statement.setReadBigInts(true);
        statement.setReturnArrays(true);
        iterator = statement.iterate(...bound) as Iterator<unknown> as IterableIterator<unknown[]>;
        for (const row of iterator) {
          read += 1;
          if (!wantRows) continue;
          const text = rowJson(row);
          this.#room -= text.length;
          if (this.#room < 0) throw new SqlFailure(TOO_LARGE, "RESPONSE_TOO_LARGE");
          rows.push(text);
        }
      }
    } catch (thrown) {
      // Resets the statement, whose next run would fail with the same error otherwise.
      iterator?.return?.();
      // SQLite reports some actions, such as those of VACUUM, only while the statement runs.
      if (seen.refusal !== undefined) throw blockedSqlFailure(seen.refusal);
      throw this.#failureOf(thrown, { text });
    }
    const [after, changes, lastId] = changesRows ? this.#counted() : [0n, 0n, 0n];
    const hasChanged = after !== before;
    return {
      // Reads the columns after the statement has run, because a schema change can alter the columns of a cached
      // statement.
      cols: columnsJson(hasRows ? statement.columns() : []),
      rows,
      affected: hasChanged ? Number(changes) : 0,
      lastId: hasChanged && inserts ? String(lastId) : null,
      read,
      written: Number(after - before),
      commits: (seen.writes || seen.commits) && !this.isTransaction,
    };
  }

  /**
   * Changes the declaration of a column in the schema, without looking at the rows, and rebuilds the table's indexes.
   *
   * @param renaming A statement that SQLite refuses if another object of the schema is invalid, as libSQL does.
   */
  #alterColumn(renaming: StatementSync, alteration: ColumnAlteration, { schema, table }: AlteredTable): void {
    const isAlone = !this.isTransaction;
    if (isAlone) this.own("begin immediate");
    try {
      this.own("savepoint alteration");
      renaming.run();
      this.own("rollback to alteration");
      const place = sqlIdentifier(schema);
      if (/\bautoincrement\b/i.test(alteration.declaration)) this.#createSequence(place);
      const [[create] = []] = this.own(
        code`select sql from ${place}.sqlite_schema where type = 'table' and name = ?`,
        table,
      );
      this.#writeSchema(place, table, alteredTable(`${create}`, table, alteration));
      this.own(`reindex ${place}.${sqlIdentifier(table)}`);
      this.own("release alteration");
      if (isAlone) this.own("commit");
    } catch (thrown) {
      // A full disk, for example, has rolled back the transaction already.
      if (isAlone) this.rollBack();
      else if (this.isTransaction) for (const sql of ["rollback to alteration", "release alteration"]) this.own(sql);
      throw thrown;
    }
  }

  /** Creates the table with the highest ids, which SQLite itself creates with the first table that has AUTOINCREMENT. */
  #createSequence(place: string): void {
    const name = `${place}."${randomUUID()}"`;
    this.own(code`create table ${name} (id integer primary key autoincrement)`);
    this.own(code`drop table ${name}`);
  }

  #writeSchema(place: string, table: string, create: string): void {
    const [[version] = []] = this.own(`pragma ${place}.schema_version`);
    try {
      this.own(code`pragma writable_schema = on`);
      this.own(code`update ${place}.sqlite_schema set sql = ? where type = 'table' and name = ?`, create, table);
      // Makes every connection read the schema again.
      this.own(code`pragma ${place}.schema_version = ${Number(version) + 1}`);
    } finally {
      this.own(code`pragma writable_schema = off`);
    }
  }

  /**
   * Returns whether SQLite considers the statement read-only, as `sqlite3_stmt_readonly` does, which node:sqlite does not
   * offer.
   *
   * @throws SqlFailure if the schema has changed since the statement was prepared, so that it is no longer valid.
   */
  isReadOnly({ text }: ReadyStatement): boolean {
    try {
      for (const [, opcode, , second] of this.rows(`explain ${text.replace(/^explain(\s+query\s+plan)?\b/i, "")}`))
        if (WRITING.has(`${opcode}`) || (opcode === "Transaction" && second !== 0n)) return false;
    } catch (thrown) {
      throw sqlFailureOf(thrown);
    }
    return true;
  }

  /** Returns the error of a statement, with its place if SQLite knows it. */
  #failureOf(thrown: unknown, failed: Pick<FailingStatement, "text"> & Partial<FailingStatement>): unknown {
    // Nothing that a client has sent is prepared without its rights.
    if (!this.#authorizer.expected) return sqlFailureOf(thrown);
    const parse = (other: string): string | undefined => {
      try {
        this.#database.prepare(columnAlterationAt(other, 0)?.renaming ?? other);
        return undefined;
      } catch (failure) {
        return failure instanceof Error ? failure.message : undefined;
      }
    };
    return sqlFailureOf(thrown, { before: "", isDescribed: false, parse, ...failed });
  }

  #counted(): [bigint, bigint, bigint] {
    return this.#counts.get() as unknown as [bigint, bigint, bigint];
  }

  rollBack(): void {
    if (this.isTransaction) this.own("rollback");
  }

  close(): void {
    this.#database.close();
  }

  /** Closes a connection to a database that is no longer needed. Does not wait until the log is on disk. */
  discard(): void {
    this.rollBack();
    this.own(code`pragma synchronous = off`);
    this.close();
  }
}

function readRefusal(seen: StatementFacts, statement: StatementSync, { reads, refusal }: Rights): string | undefined {
  const isRead = seen.reads || (seen.writes && statement.columns().length > 0);
  return isRead && !reads ? refusal.reads : undefined;
}
