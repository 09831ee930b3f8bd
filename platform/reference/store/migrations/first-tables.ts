import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const firstTables: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database;
    await schema
      .createTable("settings")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("users")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("username", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("email", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("organizations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("number", "integer", (column) => column.notNull().unique())
      .addColumn("slug", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("plan", "text", (column) => column.notNull())
      .addColumn("overages", "integer", (column) => column.notNull())
      .addColumn("require_mfa", "integer", (column) => column.notNull())
      .addColumn("restore_enabled", "integer", (column) => column.notNull())
      .execute();
    await schema
      .createTable("members")
      .addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("role", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("members_key", ["organization_id", "user_id"])
      .execute();
    await schema
      .createTable("groups")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("location", "text", (column) => column.notNull())
      .addColumn("delete_protection", "integer", (column) => column.notNull())
      .addColumn("deleted_at", "text")
      .addColumn("cascade_databases", "integer", (column) => column.notNull())
      .execute();
    await schema
      .createTable("databases")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
      .addColumn("group_id", "text", (column) => column.notNull().references("groups.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("size_limit", "text", (column) => column.notNull())
      .addColumn("allow_attach", "integer", (column) => column.notNull())
      .addColumn("block_reads", "integer", (column) => column.notNull())
      .addColumn("block_writes", "integer", (column) => column.notNull())
      .addColumn("delete_protection", "integer", (column) => column.notNull())
      .addColumn("allowed_ips", "text", (column) => column.notNull())
      .addColumn("allowed_aws_vpc_ids", "text", (column) => column.notNull())
      .addColumn("deleted_at", "text")
      .addColumn("group_deleted_at", "text")
      .execute();
    await schema
      .createTable("tokens")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("organization_id", "text", (column) => column.references("organizations.id"))
      .addColumn("group_id", "text", (column) => column.references("groups.id"))
      .addColumn("scopes", "text")
      .addColumn("jti_hash", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addUniqueConstraint("tokens_name", ["user_id", "name"])
      .execute();

    // Makes names unique among live objects only, because the name of a deleted object can be reused immediately
    // (wire-facts 4.5).
    await liveName("groups");
    await liveName("databases");
    await deleted("groups");
    await deleted("databases");
    await schema.createIndex("databases_group").on("databases").columns(["group_id", "deleted_at", "name"]).execute();
    await schema.createIndex("tokens_organization").on("tokens").columns(["organization_id", "user_id"]).execute();
    await schema.createIndex("tokens_group").on("tokens").column("group_id").execute();

    function liveName(table: "groups" | "databases") {
      return schema
        .createIndex(`${table}_live_name`)
        .on(table)
        .columns(["organization_id", "name"])
        .unique()
        .where(sql.ref("deleted_at"), "is", null)
        .execute();
    }

    function deleted(table: "groups" | "databases") {
      return schema
        .createIndex(`${table}_deleted`)
        .on(table)
        .columns(["organization_id", "deleted_at", "id"])
        .where(sql.ref("deleted_at"), "is not", null)
        .execute();
    }
  },
};
