import type { Job } from "../../platform/reference/store/batches";

/** Replaces `store/batches.ts` to build a slower variant of our server, which commits each request separately. */
export class Batches<State> {
  private last = Promise.resolve();

  constructor(private readonly perform: (jobs: readonly Job<State>[]) => Promise<void>) {}

  add<T>(work: (state: State) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const job = { work, resolve: resolve as Job<State>["resolve"], reject };
      this.last = this.last.then(() => this.perform([job]));
    });
  }
}
