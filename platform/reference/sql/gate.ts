/** Lets requests to the rows pass, or makes new ones wait while all rows are saved or replaced. */
export class Gate {
  /** The number of closings that have not been taken back. */
  #closings = 0;
  #inside = 0;
  /** The callbacks of those who wait: at most one for each request, and one for each closing. */
  #waiting: (() => void)[] = [];

  /** Runs `work` as soon as the gate is open. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closings > 0) await this.#change();
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#changed();
    }
  }

  /** Closes the gate, and returns a function that opens it again. Does not wait for the work that has passed it. */
  close(): () => void {
    this.#closings += 1;
    return () => {
      this.#closings -= 1;
      this.#changed();
    };
  }

  /** Resolves when all work that has passed the gate has ended. */
  async emptied(): Promise<void> {
    while (this.#inside > 0) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
