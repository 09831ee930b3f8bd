import type { Migration } from "kysely/migration";
import { firstTables } from "./first-tables";

/** In the order of their names; one that was published is never changed. */
export const migrations: Record<string, Migration> = {
  "0001-first-tables": firstTables,
};
