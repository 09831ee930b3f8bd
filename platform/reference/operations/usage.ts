import { createHash } from "node:crypto";
import { refuse } from "../refusal";
import { findDatabase } from "../store/databases";
import type { Handlers } from "./handler";
import { locationsOf } from "./location";

/** Of a database that nobody has written to. */
const EMPTY_DATABASE_BYTES = 4096;

export const usage: Pick<Handlers, "retrieveDatabaseUsage"> = {
  /** Nobody queries a database of this API, so every period is alike. */
  async retrieveDatabaseUsage({ params }, { state, reach }) {
    const database = await findDatabase(state, reach, params.databaseName);
    if (!database) throw refuse.databaseNotFound(params.databaseName);
    const instances = locationsOf(database).map((location) => ({
      uuid: uuidFrom(`${database.id} ${location}`),
      usage: unused(1),
    }));
    const sum = unused(instances.length);
    return { database: { uuid: database.id, instances, total: sum, usage: sum } };
  },
};

const unused = (instances: number) => ({
  rows_read: 0,
  rows_written: 0,
  storage_bytes: instances * EMPTY_DATABASE_BYTES,
  bytes_synced: 0,
});

/** The same text, the same UUID (of version 8, which leaves its making open). */
function uuidFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
