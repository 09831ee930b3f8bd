import { CompiledQuery, type Transaction } from "kysely";
import type { Schema } from "./schema";
import { View } from "./session";

/** Query for a number that changes when another connection commits, in this process or a different one. */
const DATA_VERSION = CompiledQuery.raw("pragma data_version") as CompiledQuery<{ data_version: number }>;

/** Shares one cache of query results among read transactions until something is written (decision 129). */
export class Unchanged {
  #view: View | undefined;
  #version: number | undefined;

  /**
   * Returns the cache of query results. Call this method before any other query of a read transaction. The first query
   * fixes the snapshot that the transaction reads, and the cache must match that snapshot.
   */
  async view(transaction: Transaction<Schema>): Promise<View> {
    const { rows } = await transaction.executeQuery(DATA_VERSION);
    const version = rows[0]?.data_version;
    if (!this.#view || version !== this.#version) this.#view = new View();
    this.#version = version;
    return this.#view;
  }

  /**
   * Clears the cache of query results. Must be called in each write transaction of this connection, because the
   * connection's own writes do not change SQLite's `data_version`.
   */
  forget(): void {
    this.#view = undefined;
  }
}
