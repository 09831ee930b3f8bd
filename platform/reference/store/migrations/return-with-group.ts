import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const returnWithGroup: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .alterTable("databases")
      .addColumn("returns_with_group", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`
      update databases set returns_with_group = 1
      where deleted_at is not null
        and group_deleted_at = (select deleted_at from groups where groups.id = databases.group_id)
    `.execute(database);
  },
};
