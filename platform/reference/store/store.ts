import type { State } from "./schema";

/** The only interface to the stored data. It hides the database engine, so that each handler is written only once. */
export interface Store {
  /**
   * Runs `work` completely or not at all, and resolves when its changes are durable. Writes to one organization run one
   * after another. `work` may run more than once.
   *
   * @param organizations Slugs or UUIDs of all organizations that the request names, an empty list for data that
   * belongs to no organization, or `all` for all data. Organizations are locked in the order of their ids, so that no
   * two transactions wait for each other.
   */
  transaction<T>(organizations: readonly string[] | "all", work: (state: State) => Promise<T>): Promise<T>;

  /** Runs `work` on a consistent snapshot of the data. `work` must not write. */
  read<T>(work: (state: State) => Promise<T>): Promise<T>;

  close(): Promise<void>;
}
