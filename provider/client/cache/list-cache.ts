import { isRefusal } from "../../../kit/refusal";
import { api, type Operation } from "../../../platform/contract/api";
import { ENTRY_NAMED_BY, type Endpoint, type ListName } from "../../../platform/contract/endpoint";
import { fieldOf } from "../http/request";

const FRESH_MS = 5_000;

/** Maps each cached list to the list's name in the contract. */
const LISTS = {
  databases: "databases",
  databasesById: "databases",
  deletedDatabases: "databases",
  groups: "groups",
  deletedGroups: "deletedGroups",
  apiTokens: "apiTokens",
  members: "members",
  invites: "invites",
} as const satisfies Record<string, ListName>;

type List = keyof typeof LISTS;

interface Copy {
  readonly at: number;
  readonly writes: number;
  readonly items: Promise<unknown>;
  progress: "loading" | "loaded" | "refused";
}

export interface RecentList<Items> {
  readonly items: Items;
  /**
   * Returns whether the entry is still up to date. An entry is out of date if, after requesting the list, this process
   * has sent a request that may have changed the entry.
   *
   * @param names The entry's id, and also its name if requests identify the entry by name.
   */
  isCurrent(...names: string[]): boolean;
}

/**
 * Caches the lists of one organization for five seconds, so that many reads need few requests. Every object in a cached
 * list existed within the last five seconds. An object must be requested separately if the list does not contain it, or
 * if this process has changed it since the list was requested.
 */
export class ListCache {
  readonly #now: () => number;
  /** One entry for each list. A list has one entry for each object of the organization. */
  readonly #copies = new Map<List, Copy>();
  #writes = 0;
  /** Sequence number of the last write request that did not identify the changed entry: one for each list. */
  readonly #changedWhole = new Map<ListName, number>();
  /**
   * Sequence number of the last write request that may have changed a specific entry, by the entry's id or name: one for
   * each object that this process has changed.
   */
  readonly #changedEntries: Readonly<Record<ListName, Map<string, number>>> = {
    databases: new Map(),
    groups: new Map(),
    deletedGroups: new Map(),
    apiTokens: new Map(),
    members: new Map(),
    invites: new Map(),
  };

  /**
   * Creates an empty cache.
   *
   * @param now Returns the time in milliseconds since 1970, as `Date.now` does.
   */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Records which entries an operation may have changed, as declared in the contract. Must be called before and after
   * every write request.
   */
  wrote(operation: Operation, request: object): void {
    this.#writes++;
    const { changes = [] }: Pick<Endpoint, "changes"> = api[operation];
    for (const listed of changes) {
      const names = ENTRY_NAMED_BY[listed].map((path) => fieldOf(request, path)).filter((name) => name !== undefined);
      for (const name of names) this.#changedEntries[listed].set(String(name), this.#writes);
      if (names.length === 0) this.#changedWhole.set(listed, this.#writes);
    }
  }

  /** Returns the cached list if it is fresh, and `undefined` otherwise. The list may still be loading. */
  known<Items>(list: List): Promise<RecentList<Items>> | undefined {
    const copy = this.#freshCopy(list);
    return copy && copy.progress !== "refused" ? this.#recent(list, copy) : undefined;
  }

  /**
   * Returns the cached list if it is fresh and may be some seconds old, and otherwise loads the list.
   *
   * @throws Refusal of the kind `forbidden` or `absent`, also from the cache, so that a list that a token may not read
   *   is not requested for each object. Other errors are not cached.
   */
  get<Items>(list: List, load: () => Promise<Items>, maxAge?: "seconds"): Promise<RecentList<Items>> {
    const copy = maxAge && this.#freshCopy(list);
    return copy ? this.#recent(list, copy) : this.#load(list, load);
  }

  /** Returns the list that is loading now, and otherwise loads it even if it is cached. */
  join<Items>(list: List, load: () => Promise<Items>): Promise<RecentList<Items>> {
    const copy = this.#copies.get(list);
    return copy?.progress === "loading" ? this.#recent(list, copy) : this.#load(list, load);
  }

  #load<Items>(list: List, load: () => Promise<Items>): Promise<RecentList<Items>> {
    const copy: Copy = { at: this.#now(), writes: this.#writes, items: load(), progress: "loading" };
    this.#copies.set(list, copy);
    copy.items.then(
      () => {
        copy.progress = "loaded";
      },
      (thrown) => {
        if (isRefusal(thrown, "forbidden", "absent")) copy.progress = "refused";
        else if (this.#copies.get(list) === copy) this.#copies.delete(list);
      },
    );
    return this.#recent(list, copy);
  }

  #freshCopy(list: List): Copy | undefined {
    const copy = this.#copies.get(list);
    return copy && copy.writes >= this.#lastChange(list) && this.#now() - copy.at < FRESH_MS ? copy : undefined;
  }

  async #recent<Items>(list: List, { writes, items }: Copy): Promise<RecentList<Items>> {
    return {
      items: (await items) as Items,
      isCurrent: (...names) => names.every((name) => writes >= this.#lastChange(list, name)),
    };
  }

  /**
   * Returns the sequence number of the last write request that may have changed the named entry. Without a name,
   * considers only requests that did not identify the changed entry.
   */
  #lastChange(list: List, name?: string): number {
    const whole = this.#changedWhole.get(LISTS[list]) ?? 0;
    const entry = name === undefined ? undefined : this.#changedEntries[LISTS[list]].get(name);
    return Math.max(whole, entry ?? 0);
  }
}
