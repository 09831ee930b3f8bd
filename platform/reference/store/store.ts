import type { State } from "./schema";

/** The only access to the stored data. Handlers are written once against it, for every engine. */
export interface Store {
  /**
   * Runs `work` completely or not at all, and resolves when its changes are durable. Writes of one organization run one
   * after another. `work` may be run more than once.
   *
   * @param organizations Slugs or UUIDs of all organizations concerned, as the request names them; none for data that
   * belong to no organization; `all` for the whole data. They are locked in the order of their ids, so that no two
   * transactions wait for each other.
   */
  transaction<T>(organizations: readonly string[] | "all", work: (state: State) => Promise<T>): Promise<T>;

  /** Runs `work` on one consistent view, for reading only. */
  read<T>(work: (state: State) => Promise<T>): Promise<T>;

  close(): Promise<void>;
}
