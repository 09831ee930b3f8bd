import type { State } from "./schema";

/** The only door to what is remembered. Handlers are written once against it, whatever the engine. */
export interface Store {
  /**
   * Everything in `work` happens, or nothing does; the promise is kept when it is durable. Writes of one organization
   * happen one after another. `organizations` are the slugs or UUIDs of all those concerned, as the request names them;
   * none for what belongs to none; `all` for what concerns everything there is. They are locked in the order of their
   * ids, so that no two transactions wait for each other. `work` may be begun again.
   */
  transaction<T>(organizations: readonly string[] | "all", work: (state: State) => Promise<T>): Promise<T>;

  /** One consistent view, for reading only. */
  read<T>(work: (state: State) => Promise<T>): Promise<T>;

  close(): Promise<void>;
}
