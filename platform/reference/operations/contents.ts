import type { DatabaseRow, State } from "../store/schema";

/** Usage of a database: rows read, rows written and size. */
export interface Figures {
  readonly rows_read: number;
  readonly rows_written: number;
  readonly storage_bytes: number;
}

/** Access to the rows of the databases. Without a SQL server, databases contain no rows. */
export interface Contents {
  /** Removes the rows that a creation which was rolled back has left under the id of a new database. */
  clear(state: State, id: string): Promise<void>;
  /**
   * Copies the rows that the parent had at the time `at` into a new database. Without `at`, copies all current rows,
   * including rows that were written before the clock was moved back.
   *
   * @throws ApiError if the server no longer stores the parent's rows from that time.
   */
  copy(
    state: State,
    parent: DatabaseRow,
    copy: { readonly id: string; readonly at: string | undefined; readonly now: Date },
  ): Promise<void>;
  /**
   * Loads an uploaded dump. Must not run in a transaction, because loading can take a long time.
   *
   * @throws ApiError that names the line, if the dump contains an error.
   */
  load(file: File, now: Date): Promise<void>;
  /** Stores a loaded dump, so that databases can be created from it. */
  keepDump(state: State, file: File, id: string): Promise<void>;
  /** Inserts the rows of a stored dump into a new database. */
  createFrom(state: State, dumpId: string, databaseId: string): Promise<void>;
  /** Returns the usage of a database, or `undefined` if nobody has used the database yet. */
  figuresOf(id: string): Figures | undefined;
}
