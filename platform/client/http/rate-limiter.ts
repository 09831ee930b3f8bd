import { setTimeout as wait } from "node:timers/promises";

const FIRST_WAIT_MS = 250;

/** More than Pulumi asks for at once by itself: with so many under way, nothing is limited. */
const MOST_UNDER_WAY = 32;
/** Half as many at once when that was too many, and so many more for each answer. */
const GROWTH = 0.1;

/**
 * When the requests of one connection go out: none while the platform wants to be left alone, and fewer at once after
 * it has refused one for being too many, so that hardly any is refused again (decision 76).
 */
export class RateLimiter {
  #until = 0;
  #most = Number.POSITIVE_INFINITY;
  #underWay = 0;
  #answers = 0;
  readonly #queue: (() => void)[] = [];

  /** @param firstWaitMs How long a request waits before its first repetition where nobody has asked for more. */
  constructor(readonly firstWaitMs = FIRST_WAIT_MS) {}

  /** How many requests were not refused for being too many. */
  get answers(): number {
    return this.#answers;
  }

  /** How long the platform still wants to be left alone. */
  get leftMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  pause(ms: number): void {
    this.#until = Math.max(this.#until, Date.now() + ms);
  }

  /** A request was one too many. Those that were under way with it are refused as well, and count as one. */
  refused(): void {
    if (this.leftMs === 0) this.#most = Math.max(1, Math.min(this.#most, this.#underWay) / 2);
  }

  /** A request was not refused for being too many. */
  answered(): void {
    this.#answers++;
    this.#most = this.#most < MOST_UNDER_WAY ? this.#most + GROWTH : Number.POSITIVE_INFINITY;
  }

  /** One request, each time that it is sent. */
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
      // Its turn is the next one's.
      this.#letGo();
      throw stopped;
    }
    this.#underWay++;
  }

  /** In the order in which they came. */
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
  /** Resolves when the request may go out; rejects when what stops it comes first. */
  enter(): Promise<void>;
  /** It is not under way any more. Without effect where it was not; to be called at the end in any case. */
  leave(): void;
}
