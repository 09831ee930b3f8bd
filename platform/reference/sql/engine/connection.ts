import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { attachingAt } from "./attach";
import { Authorizer, type Seen } from "./authorizer";
import { code } from "./code";
import { failureOf, SqlFailure } from "./failure";
import { FILE } from "./files";
import type { Rights, Statement } from "./jobs";
import { MOST_BYTES, MOST_PAGES, MOST_RESULT, PAGE, TEMPORARY_PAGES } from "./limits";
import { blockedBecause, MANY_STATEMENTS, NO_STATEMENT, TOO_LARGE } from "./messages";
import { boundOf, rowText } from "./parameters";
import { nextStatement, type Prepared, prepareAt } from "./script";

export interface Result {
  /** JSON arrays. */
  readonly cols: string;
  readonly rows: readonly string[];
  readonly affected: number;
  readonly lastId: string | null;
  readonly read: number;
  readonly written: number;
  /** Whether the statement may have committed changes. */
  readonly commits: boolean;
  readonly milliseconds: number;
}

type Ready = Prepared & { readonly seen: Seen };

/**
 * Matches statements that are prepared once and then reused, because preparing a statement takes longer than running a
 * small query.
 */
const PLAIN = /^(select|insert|update|delete|replace|with|begin|commit|rollback)\b/i;
const MOST_KNOWN = 100;
const LONGEST_KNOWN = 4_096;

/** Returns whether a statement begins a transaction and takes the write lock immediately. */
export const isLocking = (text: string): boolean =>
  /^begin\b/i.test(text) && /^begin\s+(immediate|exclusive)\b/i.test(text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " "));

/** Matches statements that change nothing, unless SQLite reports a change while preparing them. */
const QUIET = /^(select|values|with|explain|pragma|begin|commit|end|rollback|savepoint|release)\b/i;

const isQuiet = ({ text, seen }: Ready): boolean => QUIET.test(text) && !seen.writes && !seen.marks && !isLocking(text);

/** A connection to one database. Only one stream uses it at a time. */
export class Connection {
  readonly #durable: boolean;
  readonly #database: DatabaseSync;
  readonly #authorizer = new Authorizer();
  readonly #counts: StatementSync;
  readonly #schema: StatementSync;
  #pages = 0;
  /** Prepared statements, by text. */
  readonly #known = new Map<string, Ready>();
  /** How much the result of the current job may still grow, in characters of JSON. */
  #room = MOST_RESULT;

  /** Whether the connection has state that another stream would notice, such as a temporary table. */
  isMarked = false;

  /** Called before a statement that may change something runs. */
  change: () => void = () => undefined;

  constructor(
    folder: string,
    durable: boolean,
    readonly isReadOnly = false,
  ) {
    const options = { timeout: 0, enableDoubleQuotedStringLiterals: true, defensive: true, readOnly: isReadOnly };
    this.#durable = durable;
    this.#database = new DatabaseSync(join(folder, FILE), options as object);
    const { limits } = this.#database as DatabaseSync & { limits?: { length: number; attach: number } };
    if (limits) limits.length = MOST_BYTES;
    // Turns off automatic checkpoints. Only the history checkpoints the write-ahead log, because past states are read
    // from the log (decision 162).
    this.#database.exec(
      `pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma synchronous = ${durable ? "full" : "off"};
      pragma trusted_schema = off; pragma foreign_keys = on; pragma temp.max_page_count = ${TEMPORARY_PAGES}`,
    );
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

  /** The file paths of attached databases. */
  get attached(): string[] {
    if (!this.isMarked) return [];
    return this.own(code`select file from pragma_database_list where name not in ('main', 'temp')`).map(
      ([file]) => `${file}`,
    );
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

  /** Runs an internal statement, which no token restricts. */
  own(sql: string): unknown[][] {
    this.#authorizer.begin(undefined);
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
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
   * @throws SqlFailure with the reason if the statement is invalid or not allowed.
   */
  prepare(sql: string, from: number, rights: Rights, isAgain = false): Ready {
    const attaching = attachingAt(sql, from, rights);
    const isVacuum = /^vacuum\b/i.test(sql.slice(from, from + 10));
    try {
      // Creates the file of a database that has not been used yet, because SQLite attaches it for reading only.
      if (attaching && !existsSync(join(attaching.folder, FILE)))
        new Connection(attaching.folder, this.#durable).close();
      if (isAgain || !this.isTransaction) this.#readSchema();
      this.#authorizer.begin({ rights, isVacuum, attaching: attaching?.address });
      const prepared = attaching ? prepareAt(this.#database, attaching.text, 0) : prepareAt(this.#database, sql, from);
      const { seen } = this.#authorizer;
      const refusal = readRefusal(seen, prepared.statement, rights);
      if (refusal !== undefined) throw blocked(refusal);
      if (!rights.writes && isLocking(prepared.text)) throw blocked(rights.refusal.writes);
      return { ...prepared, end: attaching ? from + prepared.end - attaching.added : prepared.end, seen };
    } catch (thrown) {
      const { refusal } = this.#authorizer.seen;
      if (refusal !== undefined) throw blocked(refusal);
      if (!isAgain && this.isTransaction) return this.prepare(sql, from, rights, true);
      throw failureOf(thrown, "prepare");
    }
  }

  /**
   * Makes SQLite reload the schema, which other connections may have changed. Reading the schema also determines which
   * snapshot a transaction sees. In a transaction, the schema is therefore reloaded only after preparing a statement
   * has failed.
   */
  #readSchema(): void {
    this.#authorizer.begin(undefined);
    this.#schema.get();
  }

  /** Prepares a string that must contain exactly one statement. */
  single(sql: string, rights: Rights): Ready {
    // With restricted rights, a statement is prepared again for each run, so that each run is authorized.
    const isRestricted = rights.rules !== null || !rights.reads || !rights.writes;
    const known = isRestricted ? undefined : this.#known.get(sql);
    if (known) {
      // The authorizer needs the caller's rights even for a cached statement, because SQLite prepares the statement
      // again after a schema change.
      this.#authorizer.begin({ rights, isVacuum: false, attaching: undefined });
      return known;
    }
    const prepared = this.#single(sql, rights);
    if (isRestricted || prepared.seen.marks || sql.length > LONGEST_KNOWN || !PLAIN.test(prepared.text))
      return prepared;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(sql, prepared);
    return prepared;
  }

  #single(sql: string, rights: Rights): Ready {
    const from = nextStatement(sql, 0);
    if (from >= sql.length) throw new SqlFailure(NO_STATEMENT, "SQL_NO_STATEMENT");
    const prepared = this.prepare(sql, from, rights);
    if (nextStatement(sql, prepared.end) < sql.length) throw new SqlFailure(MANY_STATEMENTS, "SQL_MANY_STATEMENTS");
    return prepared;
  }

  execute({ sql, ...given }: Statement & { readonly sql: string }, rights: Rights): Result {
    const began = performance.now();
    const prepared = this.single(sql, rights);
    const bound = boundOf(prepared.text, given);
    const result = this.run(prepared, bound as never, given.want_rows ?? true);
    return { ...result, milliseconds: performance.now() - began };
  }

  /** Runs a prepared statement once. */
  run(ready: Ready, bound: [], wantRows: boolean): Omit<Result, "milliseconds"> {
    if (!isQuiet(ready)) this.change();
    const { statement, seen } = ready;
    if (seen.marks) this.isMarked = true;
    const [before] = seen.writes ? this.#counted() : [0n];
    const hasRows = statement.columns().length > 0;
    const rows: string[] = [];
    let read = 0;
    try {
      if (!hasRows) statement.run(...bound);
      else {
        statement.setReadBigInts(true);
        statement.setReturnArrays(true);
        for (const row of statement.iterate(...bound) as Iterable<unknown> as Iterable<unknown[]>) {
          read += 1;
          if (!wantRows) continue;
          const text = rowText(row);
          this.#room -= text.length;
          if (this.#room < 0) throw new SqlFailure(TOO_LARGE, "RESPONSE_TOO_LARGE");
          rows.push(text);
        }
      }
    } catch (thrown) {
      // SQLite reports some actions, such as those of VACUUM, only while the statement runs.
      if (seen.refusal !== undefined) throw blocked(seen.refusal);
      throw failureOf(thrown, "run");
    }
    const [after, changes, lastId] = seen.writes ? this.#counted() : [0n, 0n, 0n];
    const hasChanged = after !== before;
    return {
      // Reads the columns after the statement has run, because a schema change can alter the columns of a cached
      // statement.
      cols: hasRows ? JSON.stringify(statement.columns().map(({ name, type }) => ({ name, decltype: type }))) : "[]",
      rows,
      affected: hasChanged ? Number(changes) : 0,
      lastId: hasChanged && seen.inserts ? String(lastId) : null,
      read,
      written: Number(after - before),
      commits: (seen.writes || seen.ends) && !this.isTransaction,
    };
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
}

const blocked = (reason: string): SqlFailure => new SqlFailure(blockedBecause(reason), "BLOCKED");

function readRefusal(seen: Seen, statement: StatementSync, { reads, refusal }: Rights): string | undefined {
  const isRead = seen.reads || (seen.writes && statement.columns().length > 0);
  return isRead && !reads ? refusal.reads : undefined;
}
