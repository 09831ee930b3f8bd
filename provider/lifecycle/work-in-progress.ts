/** Tracks the work of one kind that is under way in this update, for example its deletions or restores. */
export class WorkInProgress {
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

  /** Looks for a problem, and checks again if work that may have solved the problem has ended in the meantime. */
  async lookAgain<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    const ended = this.#ended;
    const found = await look();
    if (found === undefined) return undefined;
    await Promise.allSettled(this.#works);
    return ended === this.#ended ? found : look();
  }

  /** Looks for a problem while no work is under way, and checks again if work began in the meantime. */
  async lookBetween<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      await Promise.allSettled(this.#works);
      const begun = this.#begun;
      const found = await look();
      if (found === undefined || begun === this.#begun) return found;
    }
  }
}
