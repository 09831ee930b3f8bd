import { randomBytes } from "node:crypto";
import { ApiError } from "../refusal";
import { BATON_INVALID, BATON_REUSED } from "./messages";
import type { StoredSql } from "./stored-sql";
import { type Stream, streamExpired } from "./streams";

/** How long, in milliseconds, an expired stream is remembered, so that a late request learns why it fails. */
const KNOWN_MS = 300_000;

/** A stream with the SQL that its client has stored. */
export interface ContinuedStream {
  readonly stream: Stream;
  readonly texts: StoredSql;
}

interface KnownBaton extends ContinuedStream {
  /** The unguessable part of the baton. */
  readonly secret: string;
  sequence: number;
  timer: NodeJS.Timeout | undefined;
}

/** The batons with which clients continue their streams over HTTP. Each can be used only once. */
export class Batons {
  /** At most 100 open streams of each database, and for `KNOWN_MS` those that have expired, by id. */
  readonly #kept = new Map<string, KnownBaton>();

  /**
   * Returns the stream that a baton identifies.
   *
   * @throws ApiError if the baton is invalid or used, or if its stream has expired.
   */
  take(baton: string, database: string): ContinuedStream {
    const [id = "", secret = "", sequence = ""] = baton.split(".");
    const kept = this.#kept.get(id);
    if (kept?.stream.database !== database || kept.secret !== secret) throw new ApiError(400, BATON_INVALID);
    if (kept.stream.ended !== undefined) throw streamExpired(kept.stream.ended);
    if (String(kept.sequence) !== sequence) throw new ApiError(400, BATON_REUSED);
    kept.sequence += 1;
    return kept;
  }

  /** Returns the baton for the next request of a stream. */
  issue({ stream, texts }: ContinuedStream): string {
    const fresh = (): KnownBaton => ({
      stream,
      texts,
      secret: randomBytes(18).toString("base64url"),
      sequence: 1,
      timer: undefined,
    });
    const kept = this.#kept.get(stream.id) ?? fresh();
    this.#kept.set(stream.id, kept);
    return `${stream.id}.${kept.secret}.${kept.sequence}`;
  }

  /** Remembers for a while that a stream has expired. */
  expire({ id }: Stream): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    kept.texts.clear();
    kept.timer = setTimeout(() => this.#kept.delete(id), KNOWN_MS).unref();
  }

  forget({ id }: Stream): void {
    clearTimeout(this.#kept.get(id)?.timer);
    this.#kept.delete(id);
  }

  clear(): void {
    for (const { timer } of this.#kept.values()) clearTimeout(timer);
    this.#kept.clear();
  }
}
