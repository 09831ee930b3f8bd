import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import { ENTRY_NAMED_BY, type Listed } from "../../contract/listed";
import { fieldOf } from "../field";

const FRESH_MS = 5_000;

/** The lists that are kept, and what the contract calls their entries. */
const LISTS = {
  databases: "databases",
  deletedDatabases: "databases",
  groups: "groups",
  apiTokens: "apiTokens",
} as const satisfies Record<string, Listed>;

type List = keyof typeof LISTS;

interface Copy {
  readonly at: number;
  /** The number of writes before the list was asked for. */
  readonly writes: number;
  readonly items: Promise<unknown>;
  isLoaded: boolean;
}

export interface Recent<Items> {
  readonly items: Items;
  /**
   * Whether this process has sent nothing since the list was asked for that may have changed the entry.
   *
   * @param names The entry's id, and its name where operations go by name.
   */
  isCurrent(...names: string[]): boolean;
}

/**
 * Lists of one organization, kept for five seconds, so that many reads cost few requests. What a list shows was there a
 * moment ago; what it lacks must be asked for, and so must what this process has changed since (decision 79).
 */
export class ListCache {
  readonly #now: () => number;
  readonly #copies = new Map<List, Copy>();
  #writes = 0;
  /** The number of the last write that may have changed every entry. */
  readonly #changedWhole = new Map<Listed, number>();
  /** The number of the last write that may have changed one entry, by id or name. */
  readonly #changedEntries: Readonly<Record<Listed, Map<string, number>>> = {
    databases: new Map(),
    groups: new Map(),
    apiTokens: new Map(),
  };

  /** @param now Unix time in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes note of what the contract says that an operation changes. To be called before and after every write. */
  wrote(operation: Operation, request: object): void {
    this.#writes++;
    const { changes = [] }: Pick<Endpoint, "changes"> = api[operation];
    for (const listed of changes) {
      const names = ENTRY_NAMED_BY[listed].map((path) => fieldOf(request, path)).filter((name) => name !== undefined);
      for (const name of names) this.#changedEntries[listed].set(String(name), this.#writes);
      if (names.length === 0) this.#changedWhole.set(listed, this.#writes);
    }
  }

  /** A copy that is fresh, also one that is still being loaded; `undefined` where there is none. */
  known<Items>(list: List): Promise<Recent<Items>> | undefined {
    const copy = this.#copies.get(list);
    const isFresh = copy && copy.writes >= this.#lastChange(list) && this.#now() - copy.at < FRESH_MS;
    return isFresh ? this.#recent(list, copy) : undefined;
  }

  /** A fresh copy, loaded where there is none. A failure is not kept. */
  recent<Items>(list: List, load: () => Promise<Items>): Promise<Recent<Items>> {
    return this.known(list) ?? this.renew(list, load);
  }

  /** A copy that is loaded now. A failure is not kept. */
  renew<Items>(list: List, load: () => Promise<Items>): Promise<Recent<Items>> {
    const copy: Copy = { at: this.#now(), writes: this.#writes, items: load(), isLoaded: false };
    this.#copies.set(list, copy);
    copy.items.then(
      () => {
        copy.isLoaded = true;
      },
      () => {
        if (this.#copies.get(list) === copy) this.#copies.delete(list);
      },
    );
    return this.#recent(list, copy);
  }

  /** The copy that is being loaded; where there is none, one that is loaded now. */
  join<Items>(list: List, load: () => Promise<Items>): Promise<Recent<Items>> {
    const copy = this.#copies.get(list);
    return copy && !copy.isLoaded ? this.#recent(list, copy) : this.renew(list, load);
  }

  async #recent<Items>(list: List, { writes, items }: Copy): Promise<Recent<Items>> {
    return {
      items: (await items) as Items,
      isCurrent: (...names) => names.every((name) => writes >= this.#lastChange(list, name)),
    };
  }

  /** The number of the last write that may have changed every entry of the list, or this one. */
  #lastChange(list: List, name?: string): number {
    const whole = this.#changedWhole.get(LISTS[list]) ?? 0;
    const entry = name === undefined ? undefined : this.#changedEntries[LISTS[list]].get(name);
    return Math.max(whole, entry ?? 0);
  }
}
