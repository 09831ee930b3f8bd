import { CompiledQuery, type Transaction } from "kysely";
import type { Schema } from "./schema";
import { View } from "./session";

/** Returns a number that changes when another connection, in any process, has committed. */
const DATA_VERSION = CompiledQuery.raw("pragma data_version") as CompiledQuery<{ data_version: number }>;

/** Gives read transactions a shared view while nothing is written between them (decision 129). */
export class Unchanged {
  #view: View | undefined;
  #version: number | undefined;

  /** Must be the first query of a read transaction, which then sees no later change. */
  async view(transaction: Transaction<Schema>): Promise<View> {
    const { rows } = await transaction.executeQuery(DATA_VERSION);
    const version = rows[0]?.data_version;
    if (!this.#view || version !== this.#version) this.#view = new View();
    this.#version = version;
    return this.#view;
  }

  /** Must be called in each write transaction of this connection, because its own writes do not change the number. */
  forget(): void {
    this.#view = undefined;
  }
}
