import type { Operation } from "../../contract/api";

const FRESH_MS = 5_000;

/** What changes nothing that a list shows already. */
const CHANGES_NO_LIST: ReadonlySet<Operation> = new Set<Operation>([
  "createGroup",
  "updateGroupConfiguration",
  "createDatabase",
  "createDatabaseById",
  "updateDatabaseConfiguration",
  "uploadDump",
  "createDatabaseToken",
  "createDatabaseTokenById",
  "createGroupToken",
  "createGroupTokenById",
  "rotateDatabaseTokens",
  "rotateGroupTokens",
  "createApiToken",
  "createNestedApiToken",
]);

/** What changes the one entry alone that is named by its id. */
const CHANGES_ONE: Partial<Record<Operation, "databaseId" | "tokenId">> = {
  deleteDatabaseById: "databaseId",
  restoreDatabase: "databaseId",
  revokeApiToken: "tokenId",
};

interface Taken {
  readonly at: number;
  readonly writes: number;
  readonly items: Promise<unknown>;
}

export interface Recent<Items> {
  readonly items: Items;
  /** Whether this process has done nothing to the entry since the list was asked for. */
  isCurrent(id: string): boolean;
}

/**
 * Short-lived lists of one organization, so that many reads cost few requests. What a list shows was there a moment
 * ago; what it does not show must be asked for, and so must what this process has changed since (decision 79).
 */
export class Snapshot {
  readonly #lists = new Map<string, Taken>();
  #writes = 0;
  /** The count of writes at the last one that changed it. */
  readonly #changed = new Map<string, number>();
  #everythingChanged = 0;

  /** To be called before and after every write. */
  wrote(operation: Operation, request: object): void {
    this.#writes++;
    if (CHANGES_NO_LIST.has(operation)) return;
    const id = CHANGES_ONE[operation];
    if (id === undefined) this.#everythingChanged = this.#writes;
    else this.#changed.set((request as Record<string, string>)[id] ?? "", this.#writes);
  }

  /** The list of that name, a few seconds old at the most. */
  async list<Items>(name: string, load: () => Promise<Items>): Promise<Recent<Items>> {
    const taken = this.#recent(name, load);
    const items = await taken.items;
    return {
      items: items as Items,
      isCurrent: (id) => taken.writes >= Math.max(this.#everythingChanged, this.#changed.get(id) ?? 0),
    };
  }

  #recent(name: string, load: () => Promise<unknown>): Taken {
    const known = this.#lists.get(name);
    if (known && known.writes >= this.#everythingChanged && Date.now() - known.at < FRESH_MS) return known;
    const taken = { at: Date.now(), writes: this.#writes, items: load() };
    this.#lists.set(name, taken);
    taken.items.catch(() => {
      if (this.#lists.get(name) === taken) this.#lists.delete(name);
    });
    return taken;
  }
}
