import { randomBytes } from "node:crypto";
import { ApiError } from "../refusal";
import { BATON_INVALID, BATON_REUSED, STREAM_EXPIRED, TOO_MANY_STREAMS } from "./messages";
import { StoredSql } from "./stored-sql";

/** How long, in milliseconds, a stream may stay idle before it expires and its transaction is rolled back. */
const IDLE_MS = 10_000;

/** How long, in milliseconds, an expired stream is remembered, so that a late request learns why it fails. */
const KNOWN_MS = 300_000;

/** The maximum number of open streams per database. */
const MOST_OPEN = 100;

export interface Stream {
  readonly id: string;
  /** DbId. */
  readonly database: string;
  /** Whether the stream has state, so that only the process with this state can continue it. */
  readonly isBound: boolean;
  readonly texts: StoredSql;
}

interface Kept extends Stream {
  /** The unguessable part of the baton. */
  readonly secret: string;
  sequence: number;
  isBusy: boolean;
  /** Why the stream has ended, or `undefined` while it is open. */
  ended: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** The streams that are waiting for their next request. A baton identifies a stream and can be used only once. */
export class Streams {
  /** At most `MOST_OPEN` open streams of each database, and for `KNOWN_MS` those that have ended. */
  readonly #kept = new Map<string, Kept>();
  /** Ids of the streams that have not ended, by DbId: at most `MOST_OPEN` for each database. */
  readonly #open = new Map<string, Set<string>>();
  #count = 0;
  readonly #ended: (stream: Stream) => void;

  /** @param ended Called when a stream ends before its client closes it. */
  constructor(ended: (stream: Stream) => void) {
    this.#ended = ended;
  }

  /**
   * Returns the stream that a baton identifies, or a new stream if there is no baton.
   *
   * @throws ApiError if the baton is invalid, used or expired, or if the database has too many open streams.
   */
  take(baton: string | null | undefined, database: string): Stream {
    if (baton === null || baton === undefined) {
      if ((this.#open.get(database)?.size ?? 0) >= MOST_OPEN) throw new ApiError(429, TOO_MANY_STREAMS);
      return { id: String(++this.#count), database, isBound: false, texts: new StoredSql() };
    }
    const [id = "", secret = "", sequence = ""] = baton.split(".");
    const kept = this.#kept.get(id);
    if (kept?.database !== database || kept.secret !== secret) throw new ApiError(400, BATON_INVALID);
    if (kept.ended !== undefined) throw streamExpired(kept.ended);
    if (kept.isBusy || String(kept.sequence) !== sequence) throw new ApiError(400, BATON_REUSED);
    clearTimeout(kept.timer);
    kept.isBusy = true;
    return kept;
  }

  /**
   * Keeps a stream open for its next request, and returns the baton for that request.
   *
   * @param isBound Whether the stream has state now.
   */
  keep({ id, database, texts }: Stream, isBound: boolean): string {
    const before = this.#kept.get(id);
    const sequence = (before?.sequence ?? 0) + 1;
    const secret = before?.secret ?? randomBytes(18).toString("base64url");
    const kept: Kept = {
      id,
      secret,
      database,
      texts,
      isBound,
      sequence,
      isBusy: false,
      ended: undefined,
      timer: undefined,
    };
    this.#kept.set(id, kept);
    const open = this.#open.get(database) ?? new Set<string>();
    this.#open.set(database, open.add(id));
    kept.timer = setTimeout(() => this.#end(kept, STREAM_EXPIRED), IDLE_MS).unref();
    return `${id}.${secret}.${sequence}`;
  }

  #end(kept: Kept, reason: string): void {
    kept.ended = reason;
    this.#close(kept);
    kept.texts.clear();
    kept.timer = setTimeout(() => this.#kept.delete(kept.id), KNOWN_MS).unref();
    this.#ended(kept);
  }

  /** Ends all streams that are waiting for their next request, which then fails with this reason. */
  endAll(reason: string): void {
    for (const kept of this.#kept.values()) {
      if (kept.ended !== undefined || kept.isBusy) continue;
      clearTimeout(kept.timer);
      this.#end(kept, reason);
    }
  }

  forget(stream: Stream): void {
    clearTimeout(this.#kept.get(stream.id)?.timer);
    this.#kept.delete(stream.id);
    this.#close(stream);
  }

  #close({ id, database }: Stream): void {
    const open = this.#open.get(database);
    open?.delete(id);
    if (open?.size === 0) this.#open.delete(database);
  }

  clear(): void {
    for (const kept of this.#kept.values()) clearTimeout(kept.timer);
    this.#kept.clear();
    this.#open.clear();
  }
}

export const streamExpired = (reason: string): ApiError => new ApiError(400, reason, "STREAM_EXPIRED");
