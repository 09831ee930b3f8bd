import { setImmediate as moment } from "node:timers/promises";

/** A unit of work on the stored data, with callbacks for the result. */
export interface QueuedWork<State> {
  work(state: State): Promise<unknown>;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Collects the jobs that arrive during a batch, and runs them as the next batch. Each batch waits for the disk only
 * once, however many jobs it has.
 */
export class JobQueue<State> {
  /** The jobs of the next batch: at most one for each request in progress. */
  #waiting: QueuedWork<State>[] = [];
  #isBusy = false;
  readonly #perform: (jobs: readonly QueuedWork<State>[]) => Promise<void>;

  /** @param perform Runs a batch, and calls `resolve` or `reject` on each of its jobs. Must never reject itself. */
  constructor(perform: (jobs: readonly QueuedWork<State>[]) => Promise<void>) {
    this.#perform = perform;
  }

  add<T>(work: (state: State) => Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as QueuedWork<State>["resolve"], reject });
    });
    if (!this.#isBusy) void this.#run();
    return done;
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      // Waits until no more jobs arrive. The loop always ends, because jobs cannot outnumber open connections.
      for (let known = 0; known < this.#waiting.length; await moment()) known = this.#waiting.length;
      await this.#perform(this.#waiting.splice(0));
    }
    this.#isBusy = false;
  }
}
