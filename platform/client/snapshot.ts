const FRESH_MS = 5_000;

interface Taken {
  readonly at: number;
  readonly generation: number;
  readonly items: Promise<unknown>;
}

/**
 * Short-lived lists of one organization, so that many reads cost few requests. What a list shows was there a moment
 * ago; what it does not show must be asked for. A list during which this process wrote is thrown away.
 */
export class Snapshot {
  readonly #lists = new Map<string, Taken>();
  readonly #first = new Map<string, Promise<unknown>>();
  #generation = 0;

  /** To be called before and after every write. */
  wrote(): void {
    this.#generation++;
  }

  /** The list of that name, a few seconds old at the most; `undefined` when a write made it worthless. */
  async list<T>(name: string, load: () => Promise<T>): Promise<T | undefined> {
    const known = this.#lists.get(name);
    const usable = known && known.generation === this.#generation && Date.now() - known.at < FRESH_MS;
    const taken = usable ? known : { at: Date.now(), generation: this.#generation, items: load() };
    this.#lists.set(name, taken);
    try {
      const items = await taken.items;
      return taken.generation === this.#generation ? (items as T) : undefined;
    } catch (failure) {
      if (this.#lists.get(name) === taken) this.#lists.delete(name);
      throw failure;
    }
  }

  /** The first list of that name in this run, however old: what is not in it was made during the run. */
  first<T>(name: string, load: () => Promise<T>): Promise<T> {
    const known = this.#first.get(name) ?? load();
    this.#first.set(name, known);
    known.catch(() => this.#first.delete(name));
    return known as Promise<T>;
  }
}
