import { randomUUID } from "node:crypto";
import { code } from "../../../values/code";
import { type ExecutionResult, SqliteConnection } from "./connection";
import type { Rights, Statement } from "./jobs";

/** Name of a temporary table, which hides any table of the database with the same name. */
const ZERO = `"${randomUUID()}"`;

/**
 * Finds what makes statements behave differently in a transaction of several streams: constraints that are checked at
 * the commit, virtual tables, which also write at the commit, and functions that show the counters of the connection.
 */
const OBSTACLE = code`select 1 from sqlite_schema where (type = 'table' and rootpage = 0) or sql like '%deferred%'
  or sql like '%last_insert_rowid%' or sql like '%changes%' limit 1`;

/**
 * A connection on which the changes of several streams are committed in one transaction, with the same answers as one by
 * one.
 */
export class GroupConnection {
  readonly #connection: SqliteConnection;
  /** The version of the schema that was last searched for obstacles, and whether it has any. */
  #searched: { readonly version: unknown; readonly hasObstacle: boolean } | undefined;

  constructor(folder: string, durable: boolean) {
    this.#connection = new SqliteConnection(folder, durable);
    this.#connection.own(code`create temp table ${ZERO} (id integer primary key)`);
  }

  /** Begins a transaction. Returns `false` if another stream is writing, or if the schema has an obstacle. */
  begin(): boolean {
    try {
      this.#connection.own("begin immediate");
    } catch {
      return false;
    }
    if (!this.#hasObstacle()) return true;
    this.#connection.rollBack();
    return false;
  }

  #hasObstacle(): boolean {
    const [[version] = []] = this.#connection.own("pragma schema_version");
    if (!this.#searched || this.#searched.version !== version)
      this.#searched = { version, hasObstacle: this.#connection.own(OBSTACLE).length > 0 };
    return this.#searched.hasObstacle;
  }

  /**
   * Executes a statement as the first one of a new stream.
   *
   * @throws SqlFailure with the reason if the statement fails. All its changes are undone then, as without a group.
   */
  execute(statement: Statement & { readonly sql: string }, rights: Rights, pages: number): ExecutionResult {
    this.#connection.begin(pages);
    // Otherwise, a statement that inserts no row with an id would show the id of another stream's row.
    this.#connection.own(code`insert or replace into ${ZERO} values (0)`);
    return this.#connection.execute(statement, rights);
  }

  /** Whether all statements so far can still be committed together. */
  get isIntact(): boolean {
    return this.#connection.isTransaction && !this.#connection.isMarked;
  }

  commit(): void {
    this.#connection.own("commit");
  }

  /** Closes the connection, which rolls back its transaction. */
  close(): void {
    this.#connection.close();
  }

  discard(): void {
    this.#connection.discard();
  }
}
