/** Tracks the tasks of one kind that are in progress in this update, for example all restores. */
export class WorkInProgress {
  /** The tasks in progress, which Pulumi's option `parallel` limits. */
  readonly #works = new Set<Promise<unknown>>();
  #begun = 0;
  #ended = 0;

  async run<T>(begin: () => Promise<T>): Promise<T> {
    this.#begun++;
    const work = begin();
    this.#works.add(work);
    try {
      return await work;
    } finally {
      this.#works.delete(work);
      this.#ended++;
    }
  }

  /**
   * Runs a check. If the check finds a problem, waits for the tasks in progress and runs the check again, because a
   * task may solve the problem.
   */
  async lookAgain<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    const ended = this.#ended;
    const found = await look();
    if (found === undefined) return undefined;
    await Promise.allSettled(this.#works);
    return ended === this.#ended ? found : look();
  }

  /**
   * Waits until no task is in progress, and then runs a check. If the check finds a problem and a task has started
   * during the check, waits and checks again.
   */
  async lookBetween<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      await Promise.allSettled(this.#works);
      const begun = this.#begun;
      const found = await look();
      if (found === undefined || begun === this.#begun) return found;
    }
  }
}
