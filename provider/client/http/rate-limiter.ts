import { setTimeout as wait } from "node:timers/promises";

const FIRST_WAIT_MS = 250;

/**
 * When the limit on parallel requests has grown to this number, it is removed. Pulumi's default parallelism is lower, so
 * a higher limit would have no effect.
 */
const MOST_UNDER_WAY = 32;
/** Each success raises the limit on parallel requests by this amount. A 429 response halves the limit. */
const GROWTH = 0.1;

/**
 * Limits the requests of one connection. Sends no requests during a pause that the platform asked for. After a 429
 * response, sends fewer requests in parallel, so that few of them are rejected twice.
 */
export class RateLimiter {
  #until = 0;
  #most = Number.POSITIVE_INFINITY;
  #underWay = 0;
  #answers = 0;
  /** The requests that wait for their turn: at most as many as Pulumi's parallelism lets the steps send. */
  readonly #queue: (() => void)[] = [];

  /**
   * Creates a rate limiter that sets no limit until a 429 response arrives.
   *
   * @param firstWaitMs Milliseconds before the first retry of a request, unless Retry-After asks for a longer wait.
   */
  constructor(readonly firstWaitMs = FIRST_WAIT_MS) {}

  /** Number of responses so far, not counting 429 responses. */
  get answers(): number {
    return this.#answers;
  }

  /** Milliseconds until the end of the pause that the platform asked for. */
  get leftMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  pause(ms: number): void {
    this.#until = Math.max(this.#until, Date.now() + ms);
  }

  /**
   * Records a 429 response. Several 429 responses during one pause count as one, because the platform rejects all
   * requests that are in progress.
   */
  refused(): void {
    if (this.leftMs === 0) this.#most = Math.max(1, Math.min(this.#most, this.#underWay) / 2);
  }

  /** Records a response with a status other than 429. */
  answered(): void {
    this.#answers++;
    this.#most = this.#most < MOST_UNDER_WAY ? this.#most + GROWTH : Number.POSITIVE_INFINITY;
  }

  /** Returns a permit for one request and its retries. */
  permit(stop: AbortSignal): Permit {
    let isUnderWay = false;
    return {
      enter: async () => {
        await this.#enter(stop);
        isUnderWay = true;
      },
      leave: () => {
        if (isUnderWay) this.#underWay--;
        isUnderWay = false;
        this.#letGo();
      },
    };
  }

  async #enter(stop: AbortSignal): Promise<void> {
    try {
      stop.throwIfAborted();
      while (this.leftMs > 0 || this.#underWay >= Math.floor(this.#most)) {
        if (this.leftMs > 0) await wait(this.leftMs + Math.random() * this.firstWaitMs, undefined, { signal: stop });
        else await this.#turn(stop);
        stop.throwIfAborted();
      }
    } catch (stopped) {
      // This request was aborted, so the next waiting request may start.
      this.#letGo();
      throw stopped;
    }
    this.#underWay++;
  }

  /** Waits for this request's turn. Requests are sent in the order in which they arrived. */
  #turn(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        stop.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(go), 1);
        resolve();
      };
      stop.addEventListener("abort", leave, { once: true });
      this.#queue.push(go);
    });
  }

  #letGo(): void {
    for (let free = Math.floor(this.#most) - this.#underWay; free > 0 && this.#queue.length > 0; free--)
      this.#queue.shift()?.();
  }
}

export interface Permit {
  /** Resolves when the request may be sent. Rejects if `stop` is aborted first. */
  enter(): Promise<void>;
  /** Tells the rate limiter that the request has ended. Must be called for every request, even if it was never sent. */
  leave(): void;
}
