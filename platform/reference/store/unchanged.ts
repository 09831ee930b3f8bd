import { CompiledQuery, type Transaction } from "kysely";
import type { Schema } from "./schema";
import { View } from "./session";

/** A number that differs when another connection, of whatever process, has committed since it was last asked for. */
const DATA_VERSION = CompiledQuery.raw("pragma data_version") as CompiledQuery<{ data_version: number }>;

/** Gives read transactions one view as long as nothing is written between them (decision 129). */
export class Unchanged {
  #view: View | undefined;
  #version: number | undefined;

  /** Must be the first query of a read transaction, which sees no later change. */
  async view(transaction: Transaction<Schema>): Promise<View> {
    const { rows } = await transaction.executeQuery(DATA_VERSION);
    const version = rows[0]?.data_version;
    if (!this.#view || version !== this.#version) this.#view = new View();
    this.#version = version;
    return this.#view;
  }

  /** Must be called in each write transaction of this connection, whose writes leave the number as it is. */
  forget(): void {
    this.#view = undefined;
  }
}
