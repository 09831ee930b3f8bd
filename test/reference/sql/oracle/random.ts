/** A seeded source of random choices. */
export class Random {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a whole number from 0 to `below - 1`. */
  below(below: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** Returns the results of `make`, as many as a number from `least` to `most`. */
  some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}
