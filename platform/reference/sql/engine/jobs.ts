import type { Batch, Statement, StreamRequest, Value } from "../protocol";

/** The rights that the token and the database's configuration grant to a job. */
export interface Rights {
  readonly reads: boolean;
  readonly writes: boolean;
  /** The reasons to report if reads or writes are not allowed. */
  readonly refusal: {
    readonly reads: string;
    readonly writes: string;
    /** Whether a write that is not allowed ends its transaction, together with the stream. */
    readonly endsTransaction: boolean;
  };
  /** Allowed actions by table, or `null` if the token does not restrict actions. */
  readonly rules: readonly { readonly t?: readonly string[] | null; readonly a: readonly string[] }[] | null;
  /** Folders of the databases that may be attached for reading, by DbId. */
  readonly attachable: Readonly<Record<string, string>>;
}

/** The database that a job is for, and the settings that the job runs with. */
export interface Target {
  readonly folder: string;
  /** The time of the platform's clock when the request arrived (RFC 3339). */
  readonly now: string;
  /** The maximum size of the database, in pages. */
  readonly pages: number;
  /** Whether a commit waits until its data has been written to disk. */
  readonly durable: boolean;
  /** Whether the database's previous job that may write could have run in another process. */
  readonly arrives?: boolean;
}

/** A request on a stream, with the SQL itself in place of references to stored SQL. */
export type Task =
  | Exclude<StreamRequest, { type: "store_sql" | "close_sql" }>
  | { readonly type: "stored"; readonly text: string }
  /** Statements that run until one fails, with the results as libSQL's first HTTP API writes them. */
  | { readonly type: "statements"; readonly statements: readonly Statement[] };

interface StreamTarget extends Target {
  readonly stream: string;
  /** Milliseconds to add to the machine's time to get the platform's, or `undefined` while that clock is stopped. */
  readonly ahead: number | undefined;
  /** Whether the stream has no state yet. */
  readonly isNew: boolean;
  readonly rights: Rights;
}

export type Job =
  | ({ readonly kind: "pipeline"; readonly tasks: readonly Task[] } & StreamTarget)
  | ({ readonly kind: "cursor"; readonly batch: Batch } & StreamTarget)
  | { readonly kind: "close"; readonly folder: string; readonly stream: string }
  /** Runs a dump in a database that is so new that no other job can use it. */
  | ({ readonly kind: "load"; readonly text: string } & Target)
  /** Writes the content of a database that nothing changes any more to the existing file `to`, as SQL. */
  | ({ readonly kind: "dump"; readonly to: string } & Target)
  | ({ readonly kind: "copy"; readonly at: string | undefined; readonly to: string } & Target)
  | { readonly kind: "release"; readonly folder: string }
  /** Copies the current state of a database to the new SQLite file `to`. */
  | { readonly kind: "save"; readonly to: string; readonly folder: string; readonly durable: boolean }
  /** Closes all databases below the folder, because their files are no longer needed. */
  | { readonly kind: "discard"; readonly folder: string };

export type JobOf<Kind extends Job["kind"]> = Extract<Job, { kind: Kind }>;

export interface Measurement {
  readonly read: number;
  readonly written: number;
  readonly bytes: number;
}

/** The result of a job. */
export interface JobResult extends Measurement {
  /**
   * What the server sends unchanged: the JSON of each result of a pipeline, or one text with the lines of a cursor.
   */
  readonly texts: readonly string[];
  /** Whether the stream stays open after the job. */
  readonly open: boolean;
  /**
   * Whether the stream has state, such as a transaction or a temporary table, so that only this process can continue it.
   */
  readonly bound: boolean;
  /** Whether the stream stays open with a transaction, which others may have to wait for. */
  readonly inTransaction: boolean;
}

export interface JobFailure {
  readonly message: string;
  readonly code: string;
  /** The line of the dump on which the failed statement begins. */
  readonly line?: number;
}

export interface SentJob {
  readonly id: number;
  /** The number of reports of slow statements that the server had received from this process. */
  readonly reports: number;
  /** Whether the job may only read, because another process may be writing to the database. */
  readonly reads: boolean;
  /**
   * Whether the job counts as changing the database from the beginning, because an earlier process could not let it
   * change anything any more.
   */
  readonly changes: boolean;
  readonly job: Job;
}
export type EngineReply = { readonly id: number } & (
  | { readonly done: JobResult }
  | { readonly failed: JobFailure }
  | { readonly crashed: string }
  /** The job has changed nothing, and must run in another process. */
  | { readonly elsewhere: true }
);

export type { Batch, Statement, Value };
