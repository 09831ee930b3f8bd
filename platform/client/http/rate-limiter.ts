import { setTimeout as wait } from "node:timers/promises";

const FIRST_WAIT_MS = 250;

/** Number of parallel requests from which nothing is limited; Pulumi sends fewer by default. */
const MOST_UNDER_WAY = 32;
/** A 429 halves the number of parallel requests; each success raises it by this much. */
const GROWTH = 0.1;

/**
 * Paces the requests of one connection: none during a pause that the platform requested, and fewer in parallel after a
 * 429, so that few requests are rejected a second time (decision 76).
 */
export class RateLimiter {
  #until = 0;
  #most = Number.POSITIVE_INFINITY;
  #underWay = 0;
  #answers = 0;
  readonly #queue: (() => void)[] = [];

  /** @param firstWaitMs Milliseconds before a request's first retry, where no Retry-After asks for more. */
  constructor(readonly firstWaitMs = FIRST_WAIT_MS) {}

  /** Number of responses other than 429. */
  get answers(): number {
    return this.#answers;
  }

  /** Milliseconds until the pause that the platform requested ends. */
  get leftMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  pause(ms: number): void {
    this.#until = Math.max(this.#until, Date.now() + ms);
  }

  /** Records a 429. The other requests in flight are rejected as well, so all of them count as one. */
  refused(): void {
    if (this.leftMs === 0) this.#most = Math.max(1, Math.min(this.#most, this.#underWay) / 2);
  }

  /** Records a response other than 429. */
  answered(): void {
    this.#answers++;
    this.#most = this.#most < MOST_UNDER_WAY ? this.#most + GROWTH : Number.POSITIVE_INFINITY;
  }

  /** Returns the permit of one request, which is entered again for each retry. */
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
      // The stopped request gives its turn to the next one.
      this.#letGo();
      throw stopped;
    }
    this.#underWay++;
  }

  /** Waits in the order of arrival. */
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
  /** Resolves when the request may be sent; rejects when `stop` is aborted first. */
  enter(): Promise<void>;
  /** Ends the request's turn; does nothing if it has none. Must always be called at the end. */
  leave(): void;
}
