import type { DatabaseRow, State } from "../store/schema";

/** What a database has read and written, and its size. */
export interface Figures {
  readonly rows_read: number;
  readonly rows_written: number;
  readonly storage_bytes: number;
}

/** The rows in the databases. Present only if the server has a SQL server; without it, databases hold nothing. */
export interface Contents {
  /**
   * Gives a new database the rows that its parent had at an instant.
   *
   * @throws ApiError if the state of that instant is no longer kept.
   */
  copy(
    state: State,
    parent: DatabaseRow,
    copy: { readonly id: string; readonly at: string; readonly now: Date },
  ): Promise<void>;
  /**
   * Loads an uploaded dump, which may take long. Must not run in a transaction.
   *
   * @throws ApiError with the line of a mistake.
   */
  load(file: File, now: Date): Promise<void>;
  /** Keeps a loaded dump, so that databases can begin with its rows. */
  keepDump(file: File, id: string): Promise<void>;
  /** Gives a new database the rows of a dump that was kept. */
  createFrom(dumpId: string, databaseId: string): Promise<void>;
  /**
   * Prepares to run a dump in an existing database. The result runs the dump, and must not run in a transaction. It
   * throws ApiError with the line of a mistake.
   */
  fill(state: State, database: DatabaseRow, file: File, now: Date): Promise<() => Promise<void>>;
  /** Returns `undefined` for a database that nobody has used yet. */
  figuresOf(id: string): Figures | undefined;
}
