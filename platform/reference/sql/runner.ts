import type { ClockReading } from "../time/clock";
import type { SqlAccess } from "./access";
import type { DatabaseRows } from "./database-rows";
import type { Batch, JobResult, Task } from "./engine/jobs";
import type { Folder } from "./folder";
import { STREAM_CLOSED, STREAM_FAILED, STREAM_LOST } from "./messages";
import type { Pool } from "./pool/pool";
import { type Stream, Streams, streamExpired } from "./streams";

/** The permissions of a request, and the platform's clock when the request was admitted. */
export type Admission = SqlAccess & ClockReading;

export type Work =
  | { readonly kind: "pipeline"; readonly tasks: readonly Task[] }
  | { readonly kind: "cursor"; readonly batch: Batch };

interface Parts {
  readonly folder: Folder;
  readonly pool: Pool;
  readonly rows: DatabaseRows;
}

/** Runs the requests on streams, whether they arrive over HTTP or over a WebSocket. */
export class Runner {
  readonly streams: Streams;
  readonly #folder: Folder;
  readonly #pool: Pool;
  readonly #rows: DatabaseRows;

  /** @param ended Called when a stream ends before its client closes it. */
  constructor({ folder, pool, rows }: Parts, ended: (stream: Stream) => void) {
    this.#folder = folder;
    this.#pool = pool;
    this.#rows = rows;
    this.streams = new Streams((stream) => {
      ended(stream);
      void this.#release(stream);
    });
  }

  /**
   * Runs work on a stream, and keeps the stream open unless the work closes it. The stream ends if the work fails.
   *
   * @param work Returns the work. If it throws, the stream ends as well.
   * @throws ApiError if the stream has ended.
   * @throws SqlFailure if a process was ended before the work was done.
   */
  async run(stream: Stream, admitted: Admission, work: () => Work): Promise<Pick<JobResult, "texts" | "open">> {
    const { database, rights, pages, now, ahead } = admitted;
    if (stream.ended !== undefined || stream.database !== database.id) throw streamExpired(stream.ended);
    const target = this.#rows.target(database.id, now.toISOString(), pages);
    this.streams.occupy(stream);
    try {
      const { id, isBound } = stream;
      if (isBound && !this.#pool.has(target.folder, id)) throw streamExpired(STREAM_LOST);
      const done = await this.#pool.run({ ...work(), ...target, stream: id, isNew: !isBound, rights, ahead }, stream);
      this.#rows.note(database.id, done);
      stream.isBound = done.bound;
      if (!done.open) this.streams.close(stream, STREAM_CLOSED);
      else if (stream.ended === undefined) this.streams.keep(stream, done.inTransaction);
      return done;
    } catch (thrown) {
      this.streams.close(stream, STREAM_FAILED);
      throw thrown;
    } finally {
      if (stream.ended !== undefined) await this.#release(stream);
    }
  }

  /**
   * Ends a stream, as soon as its request has ended.
   *
   * @param reason Why later requests on the stream fail.
   */
  async end(stream: Stream, reason: string): Promise<void> {
    const { is } = stream.state;
    this.streams.close(stream, reason);
    if (is === "idle") await this.#release(stream);
  }

  /** Rolls back the stream's transaction, and frees what the stream has occupied in its process. */
  #release({ id, database }: Stream): Promise<void> {
    return this.#pool.end(this.#folder.of(database), id);
  }
}
