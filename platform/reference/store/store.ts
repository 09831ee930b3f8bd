import type { State } from "./schema";

/** The only door to what is remembered. Handlers are written once against it, whatever the engine. */
export interface Store {
  /**
   * Everything in `work` happens, or nothing does; the promise is kept when it is durable. Writes of one organization
   * happen one after another. `organization` is its slug or UUID as the request names it; `undefined` for what belongs
   * to none.
   */
  transaction<T>(organization: string | undefined, work: (state: State) => Promise<T>): Promise<T>;

  /** One consistent view, for reading only. */
  read<T>(work: (state: State) => Promise<T>): Promise<T>;

  close(): Promise<void>;
}
