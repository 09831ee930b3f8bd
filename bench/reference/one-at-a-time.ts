import type { QueuedWork } from "../../platform/reference/store/job-queue";

/** Replaces `store/job-queue.ts` to build a slower variant of our server, which commits each request separately. */
export class JobQueue<State> {
  private last = Promise.resolve();

  constructor(private readonly perform: (jobs: readonly QueuedWork<State>[]) => Promise<void>) {}

  add<T>(work: (state: State) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const job = { work, resolve: resolve as QueuedWork<State>["resolve"], reject };
      this.last = this.last.then(() => this.perform([job]));
    });
  }
}
