import { SqliteConnection } from "./connection";
import { isBelow, isOwnedElsewhere, isOwnedHere, takeOwnership } from "./database-files";
import { GroupConnection } from "./group-connection";
import { forgetHistory, History } from "./history";
import type { Target } from "./jobs";
import type { OpenStream } from "./run";

/** The maximum number of idle connections that are kept open for new streams. */
const SPARE = 4;

/** An open database: its connections, its streams and its history. */
export class OpenDatabase {
  /** At most `MOST_AT_ONCE` streams. */
  readonly streams = new Map<string, OpenStream>();
  /** The number of jobs in progress. */
  jobs = 0;
  bytes = 0;
  readonly #folder: string;
  readonly #durable: boolean;
  readonly #history: History;
  /** A connection that stays open, because SQLite checkpoints the write-ahead log when the last connection closes. */
  readonly #keeper: SqliteConnection;
  /** At most `SPARE` connections. */
  readonly #spare: SqliteConnection[] = [];
  /** Opened when jobs are committed together for the first time. */
  #group: GroupConnection | undefined;

  constructor({ folder, durable }: Target) {
    this.#folder = folder;
    this.#durable = durable;
    takeOwnership(folder);
    this.#keeper = new SqliteConnection(folder, durable);
    this.#measure();
    this.#history = new History(folder);
  }

  /** Takes over the history, if another process has written to the database since this process did. */
  resume(): void {
    if (isOwnedHere(this.#folder)) return;
    takeOwnership(this.#folder);
    this.#history.resume();
  }

  get isUsed(): boolean {
    return this.jobs > 0 || this.streams.size > 0;
  }

  /**
   * @param isFresh Whether to open a new connection. Virtual tables keep statements of their own, which SQLite does not
   *   authorize again for a stream with fewer rights.
   */
  connect(pages: number, isFresh = false): SqliteConnection {
    const spare = isFresh ? undefined : this.#spare.pop();
    const connection = spare ?? new SqliteConnection(this.#folder, this.#durable);
    connection.begin(pages);
    return connection;
  }

  /** The connection for jobs that are committed together. It must not be in use. */
  get group(): GroupConnection {
    this.#group ??= new GroupConnection(this.#folder, this.#durable);
    return this.#group;
  }

  /** Closes the connection for jobs that are committed together, and rolls back its transaction. */
  endGroup(): void {
    this.#group?.close();
    this.#group = undefined;
  }

  release(connection: SqliteConnection): void {
    connection.rollBack();
    if (!connection.isClean || this.#spare.length >= SPARE) connection.close();
    else this.#spare.push(connection);
  }

  /** Records the latest commit in the history, if it is not recorded yet. */
  noteCommit(now: string): void {
    this.#history.mark(now);
  }

  /** Shortens the database's log if necessary, and measures its size. Called after a job that may have committed. */
  settle(): void {
    if (this.#history.isOverlong) this.#endTransactions();
    if (this.#history.isLong && ![...this.streams.values()].some(({ connection }) => connection.isTransaction))
      this.#history.putAside(this.#keeper);
    this.#measure();
  }

  /** Copies a past state of the database to another folder. */
  copyPast(job: Parameters<History["copyPast"]>[0]): void {
    this.#history.copyPast(job);
  }

  /** Copies the current state of the database to another folder, in steps between which others may write. */
  *copyInSteps(job: Parameters<History["copyInSteps"]>[0] & Pick<Target, "pages">): Iterable<undefined> {
    const reader = this.connect(job.pages);
    try {
      yield* this.#history.copyInSteps(job, reader);
    } finally {
      this.release(reader);
    }
  }

  /** Copies the current state of the database to a new SQLite file. */
  save(to: string): void {
    this.#history.save(to);
  }

  /** Closes the streams that have an open transaction but no job in progress. */
  #endTransactions(): void {
    for (const [id, { connection, isBusy }] of this.streams) if (connection.isTransaction && !isBusy) this.end(id);
  }

  /** Closes a stream, and rolls back its transaction. */
  end(id: string): void {
    const stream = this.streams.get(id);
    if (!stream) return;
    this.streams.delete(id);
    this.release(stream.connection);
  }

  #measure(): void {
    this.bytes = this.#keeper.bytes;
  }

  /** @param keepsHistory Whether past states are still needed. */
  close(keepsHistory: boolean): void {
    for (const { connection } of this.streams.values()) connection.close();
    for (const connection of this.#spare) connection.close();
    this.endGroup();
    // Copies the log with `putAside` first, because closing the last connection checkpoints the log.
    if (keepsHistory && !isOwnedElsewhere(this.#folder) && !this.#history.isEmpty) this.#history.putAside(this.#keeper);
    this.#keeper.close();
    this.#history.close();
    if (!keepsHistory) forgetHistory(this.#folder);
  }

  /** Closes the database, whose files are no longer needed. */
  discard(): void {
    for (const { connection } of this.streams.values()) connection.discard();
    for (const connection of this.#spare) connection.discard();
    this.#group?.discard();
    this.#keeper.discard();
    this.#history.close();
  }
}

/**
 * The maximum number of databases that a process keeps open. To open another database, the process closes idle ones.
 */
const MOST_OPEN = 64;

/**
 * The open databases of this process, by folder. If there are more than the maximum, the least recently used idle
 * databases are closed.
 */
export class OpenDatabases {
  /** At most `MOST_OPEN` databases, unless more are in use: each of them has a job or a stream. */
  readonly #open = new Map<string, OpenDatabase>();

  get(target: Target): OpenDatabase {
    const known = this.#open.get(target.folder);
    if (known) {
      if (target.arrives) known.resume();
      this.#open.delete(target.folder);
      this.#open.set(target.folder, known);
      return known;
    }
    for (const [folder, database] of this.#open) {
      if (this.#open.size < MOST_OPEN) break;
      if (!database.isUsed) this.close(folder, true);
    }
    const opened = new OpenDatabase(target);
    this.#open.set(target.folder, opened);
    return opened;
  }

  find(folder: string): OpenDatabase | undefined {
    return this.#open.get(folder);
  }

  /** Returns whether a stream has attached this SQLite file. */
  hasAttached(file: string): boolean {
    return [...this.#open.values()].some(({ streams }) =>
      [...streams.values()].some(({ connection }) => connection.attached.includes(file)),
    );
  }

  /** Closes the databases below a folder, whose files are no longer needed. */
  discard(below: string): void {
    for (const [folder, database] of this.#open) {
      if (!isBelow(below, folder)) continue;
      database.discard();
      this.#open.delete(folder);
    }
  }

  close(folder: string, keepsHistory: boolean): void {
    this.#open.get(folder)?.close(keepsHistory);
    this.#open.delete(folder);
  }
}
