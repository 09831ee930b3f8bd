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
  readonly #before = new Map<string, { at: number; items: Promise<unknown> }>();
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

  /** A list of a few seconds ago at the most, though this process may have written since: what it lacks was made later. */
  before<T>(name: string, load: () => Promise<T>): Promise<T> {
    const known = this.#before.get(name);
    const taken = known && Date.now() - known.at < FRESH_MS ? known : { at: Date.now(), items: load() };
    this.#before.set(name, taken);
    taken.items.catch(() => this.#before.delete(name));
    return taken.items as Promise<T>;
  }
}
