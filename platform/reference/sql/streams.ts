import { ApiError } from "../refusal";
import { STREAM_EXPIRED, TOO_MANY_STREAMS } from "./messages";

/** How long, in milliseconds, a stream may stay idle before it expires and its transaction is rolled back. */
const IDLE_MS = 10_000;

/** The maximum number of open streams per database. */
const MOST_OPEN = 100;

type StreamState =
  /** The stream waits for its next request. If it has a timer, it expires when the request does not come in time. */
  | { readonly is: "idle"; readonly timer?: NodeJS.Timeout }
  /** A request uses the stream. */
  | { readonly is: "busy" }
  /** The stream can no longer be used, for this reason. */
  | { readonly is: "ended"; readonly reason: string };

/** A stream of the protocol, which is like a connection to a database. Its requests run one after another. */
export class Stream {
  state: StreamState = { is: "idle" };
  /** Whether the stream has state, so that only the process with this state can continue it. */
  isBound = false;

  /**
   * @param database DbId.
   * @param endsWithSocket Whether the stream ends with a socket, so that it expires only if it has a transaction.
   */
  constructor(
    readonly id: string,
    readonly database: string,
    readonly endsWithSocket: boolean,
  ) {}

  /** Why the stream can no longer be used. */
  get ended(): string | undefined {
    return this.state.is === "ended" ? this.state.reason : undefined;
  }
}

/** The streams of all databases that are open between two requests. */
export class Streams {
  /** At most `MOST_OPEN` streams of each database, by DbId. */
  readonly #open = new Map<string, Set<Stream>>();
  #count = 0;
  readonly #ended: (stream: Stream) => void;

  /** @param ended Called when a stream expires, or when `endIdle` ends it. */
  constructor(ended: (stream: Stream) => void) {
    this.#ended = ended;
  }

  /** @throws ApiError if the database has too many open streams. */
  create(database: string, { endsWithSocket }: Pick<Stream, "endsWithSocket">): Stream {
    if ((this.#open.get(database)?.size ?? 0) >= MOST_OPEN) throw new ApiError(429, TOO_MANY_STREAMS);
    return new Stream(String(++this.#count), database, endsWithSocket);
  }

  /**
   * Keeps a stream open for its next request.
   *
   * @param hasTransaction Whether the stream has a transaction, which must not stay open while nobody uses the stream.
   */
  keep(stream: Stream, hasTransaction: boolean): void {
    const open = this.#open.get(stream.database) ?? new Set<Stream>();
    this.#open.set(stream.database, open.add(stream));
    stream.state = { is: "idle" };
    if (stream.endsWithSocket && !hasTransaction) return;
    const expire = () => {
      this.close(stream, STREAM_EXPIRED);
      this.#ended(stream);
    };
    stream.state = { is: "idle", timer: setTimeout(expire, IDLE_MS).unref() };
  }

  /** Keeps a stream from expiring while a request uses it. */
  occupy(stream: Stream): void {
    stopTimer(stream);
    stream.state = { is: "busy" };
  }

  /** @param reason Why later requests on the stream fail, unless it has ended already. */
  close(stream: Stream, reason: string): void {
    if (stream.state.is === "ended") return;
    stopTimer(stream);
    stream.state = { is: "ended", reason };
    const open = this.#open.get(stream.database);
    open?.delete(stream);
    if (open?.size === 0) this.#open.delete(stream.database);
  }

  /** Ends all streams that no request uses. Their next requests fail with this reason. */
  endIdle(reason: string): void {
    for (const stream of this.#all()) {
      if (stream.state.is === "busy") continue;
      this.close(stream, reason);
      this.#ended(stream);
    }
  }

  clear(): void {
    this.#all().forEach(stopTimer);
    this.#open.clear();
  }

  #all(): Stream[] {
    return [...this.#open.values()].flatMap((streams) => [...streams]);
  }
}

function stopTimer({ state }: Stream): void {
  if (state.is === "idle") clearTimeout(state.timer);
}

export const streamExpired = (reason = STREAM_EXPIRED): ApiError => new ApiError(400, reason, "STREAM_EXPIRED");
