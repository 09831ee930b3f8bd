import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const groupLocations: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .alterTable("groups")
      .addColumn("other_locations", "text", (column) => column.notNull().defaultTo("[]"))
      .execute();
  },
};
