import { randomBytes } from "node:crypto";
import { ApiError } from "../refusal";
import { BATON_INVALID, BATON_REUSED, STREAM_EXPIRED } from "./messages";

/** How long a stream may be unused, in milliseconds. Its transaction is then rolled back. */
const IDLE_MS = 10_000;

/** How long an expired stream is known, so that its next request is refused with the reason, in milliseconds. */
const KNOWN_MS = 300_000;

export interface Stream {
  readonly id: string;
  /** DbId. */
  readonly database: string;
  readonly isNew: boolean;
  /** SQL texts that the client has stored. */
  readonly texts: Map<number, string>;
}

interface Kept extends Stream {
  /** The part of the baton that nobody can guess. */
  readonly secret: string;
  sequence: number;
  isBusy: boolean;
  isExpired: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The streams that wait for their next request. A baton names a stream, and is used once. */
export class Streams {
  readonly #kept = new Map<string, Kept>();
  #count = 0;
  readonly #expired: (stream: Stream) => void;

  /** @param expired Called when a stream was not used in time. */
  constructor(expired: (stream: Stream) => void) {
    this.#expired = expired;
  }

  /**
   * Returns the stream of a baton, or a new stream.
   *
   * @throws ApiError if the baton does not name a stream that waits.
   */
  take(baton: string | null | undefined, database: string): Stream {
    if (baton === null || baton === undefined)
      return { id: String(++this.#count), database, isNew: true, texts: new Map() };
    const [id = "", secret = "", sequence = ""] = baton.split(".");
    const kept = this.#kept.get(id);
    if (kept?.database !== database || kept.secret !== secret) throw new ApiError(400, BATON_INVALID);
    if (kept.isExpired) throw expired();
    if (kept.isBusy || String(kept.sequence) !== sequence) throw new ApiError(400, BATON_REUSED);
    clearTimeout(kept.timer);
    kept.isBusy = true;
    return kept;
  }

  /** Keeps a stream for its next request. Returns the baton of that request. */
  keep({ id, database, texts }: Stream): string {
    const before = this.#kept.get(id);
    const sequence = (before?.sequence ?? 0) + 1;
    const secret = before?.secret ?? randomBytes(18).toString("base64url");
    const kept: Kept = {
      id,
      secret,
      database,
      texts,
      isNew: false,
      sequence,
      isBusy: false,
      isExpired: false,
      timer: undefined,
    };
    this.#kept.set(id, kept);
    kept.timer = setTimeout(() => {
      kept.isExpired = true;
      kept.texts.clear();
      kept.timer = setTimeout(() => this.#kept.delete(id), KNOWN_MS).unref();
      this.#expired(kept);
    }, IDLE_MS).unref();
    return `${id}.${secret}.${sequence}`;
  }

  forget({ id }: Stream): void {
    clearTimeout(this.#kept.get(id)?.timer);
    this.#kept.delete(id);
  }

  clear(): void {
    for (const kept of this.#kept.values()) clearTimeout(kept.timer);
    this.#kept.clear();
  }
}

export const expired = (reason = STREAM_EXPIRED): ApiError => new ApiError(400, reason, "STREAM_EXPIRED");
