import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../refusal";
import { assertFullSqlAccess } from "./access";
import type { DatabaseRows } from "./database-rows";
import type { Folder } from "./folder";
import { DUMP_UNREAD, TOO_MANY_DUMPS } from "./messages";
import type { Pool } from "./pool/pool";
import type { Admission } from "./runner";

/** The maximum number of dumps of one database that clients read at the same time. Each has its own files. */
const MOST_AT_ONCE = 16;

/** How long a client may take to read a piece of a dump, in milliseconds. */
const PATIENCE_MS = 60_000;

/** How long to wait until the next piece may have been written, in milliseconds. */
const PAUSE_MS = 20;

/** The maximum size of a piece in bytes. */
const PIECE = 64 * 1024;

const NO_BYTES = new Uint8Array();

interface Parts {
  readonly folder: Folder;
  readonly pool: Pool;
  readonly rows: DatabaseRows;
}

/**
 * Sends dumps of databases to clients. A process writes the dump of a copy of the database to a file, and the client
 * reads that file, so neither the database nor the process waits for the client.
 */
export class Dumps {
  readonly #parts: Parts;
  /** The number of dumps that clients are reading, by DbId: at most one entry for each database. */
  readonly #reading = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Returns the content of a database as SQL, as of now. The stream fails if the dump cannot be completed.
   *
   * @throws ApiError if the token does not allow it, or if the dump cannot be begun.
   */
  async read({ database: { id }, rights, now }: Admission): Promise<ReadableStream<Uint8Array>> {
    assertFullSqlAccess(rights, "reads");
    if ((this.#reading.get(id) ?? 0) >= MOST_AT_ONCE) throw new ApiError(429, TOO_MANY_DUMPS);
    this.#count(id, 1);
    const pieces = this.#pieces(id, now.toISOString());
    // Reads the first piece before the status is sent, so that an error until then has a status of its own.
    return streamOfPieces((await pieces.next()).value ?? NO_BYTES, pieces);
  }

  async *#pieces(id: string, now: string): AsyncGenerator<Uint8Array, undefined> {
    const { folder, pool, rows } = this.#parts;
    const copy = folder.ofLoading();
    const to = join(copy, "dump.sql");
    const target = rows.target(id, now);
    let writing: Promise<unknown> = Promise.resolve();
    try {
      await pool.run({ kind: "copy", ...target, at: undefined, to: copy });
      const file = await open(to, "wx+", 0o600);
      try {
        writing = pool.run({ kind: "dump", ...target, folder: copy, to });
        yield* piecesOfGrowingFile(file, writing);
      } finally {
        await file.close();
      }
    } finally {
      void this.#remove(copy, to, writing)
        .catch(console.error)
        .finally(() => this.#count(id, -1));
    }
  }

  /** Removes the files of a dump. Its process stops writing when it notices that `to` is missing. */
  async #remove(copy: string, to: string, writing: Promise<unknown>): Promise<void> {
    const { folder, pool } = this.#parts;
    await rm(to, { force: true });
    await writing.catch(() => undefined);
    await pool.release(copy);
    await folder.remove(copy);
  }

  #count(id: string, change: number): void {
    const count = (this.#reading.get(id) ?? 0) + change;
    if (count > 0) this.#reading.set(id, count);
    else this.#reading.delete(id);
  }
}

/** Reads a file until `writing` resolves. A process that takes over from a killed one writes the same bytes again. */
async function* piecesOfGrowingFile(
  file: FileHandle,
  writing: Promise<unknown>,
): AsyncGenerator<Uint8Array, undefined> {
  let isWritten = false;
  writing.then(
    () => {
      isWritten = true;
    },
    () => undefined,
  );
  for (let at = 0; ; ) {
    const isWhole = isWritten;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    at += bytesRead;
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    else if (isWhole) return;
    else await Promise.race([writing, wait(PAUSE_MS)]);
  }
}

/** The stream fails if its reader waits too long, so that a stalled client does not keep the files of its dump. */
function streamOfPieces(first: Uint8Array, pieces: AsyncGenerator<Uint8Array, undefined>): ReadableStream<Uint8Array> {
  let patience: NodeJS.Timeout | undefined;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, piece: Uint8Array) => {
    controller.enqueue(piece);
    const giveUp = () => {
      controller.error(new Error(DUMP_UNREAD));
      void pieces.return(undefined);
    };
    patience = setTimeout(giveUp, PATIENCE_MS);
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (controller) => send(controller, first),
    async pull(controller) {
      clearTimeout(patience);
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else send(controller, value);
    },
    async cancel() {
      clearTimeout(patience);
      await pieces.return(undefined);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
