import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const wholeSpecification: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database;
    for (const [name, value] of [
      ["type", "team"],
      ["stripe_id", ""],
      ["plan_timeline", ""],
    ] as const)
      await schema
        .alterTable("organizations")
        .addColumn(name, "text", (column) => column.notNull().defaultTo(value))
        .execute();

    await schema
      .alterTable("groups")
      .addColumn("archived", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .alterTable("groups")
      .addColumn("version", "text", (column) => column.notNull().defaultTo("v0.23.7"))
      .execute();

    for (const [name, value] of [
      ["added_locations", "[]"],
      ["version", "v0.23.7"],
      ["engine", "libsql"],
    ] as const)
      await schema
        .alterTable("databases")
        .addColumn(name, "text", (column) => column.notNull().defaultTo(value))
        .execute();
    for (const name of ["created_at", "parent_id", "parent_name", "branched_at", "encryption_cipher"])
      await schema.alterTable("databases").addColumn(name, "text").execute();
    await schema
      .alterTable("databases")
      .addColumn("storage_bytes", "bigint", (column) => column.notNull().defaultTo(4096))
      .execute();
    await schema
      .alterTable("databases")
      .addColumn("sleeping", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    // The index of live names begins with `organization_id`. SQLite would prefer that index if the new indexes did not
    // begin with the same column.
    for (const owner of ["group", "parent"])
      await schema
        .createIndex(`databases_live_${owner}`)
        .on("databases")
        .columns(["organization_id", `${owner}_id`, "name"])
        .where(sql.ref("deleted_at"), "is", null)
        .execute();

    await schema
      .createTable("counters")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "integer", (column) => column.notNull())
      .execute();
    await sql`insert into counters select 'organizations', max(number) from organizations having max(number) > 0`.execute(
      database,
    );

    await schema
      .createTable("invites")
      .addColumn("number", "integer", (column) => column.notNull().unique())
      .addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
      .addColumn("email", "text", (column) => column.notNull())
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("invites_key", ["organization_id", "email"])
      .execute();
    await schema
      .createTable("signing_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("jwk", "text", (column) => column.notNull())
      .addColumn("secret", "text")
      .execute();
    await schema
      .createIndex("signing_keys_owner")
      .on("signing_keys")
      .columns(["owner_id"])
      .unique()
      .where(sql.ref("secret"), "is not", null)
      .execute();
    await schema
      .createTable("dumps")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
      .addColumn("size_bytes", "bigint", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("audit_logs")
      .addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("message", "text", (column) => column.notNull())
      .addColumn("origin", "text", (column) => column.notNull())
      .addColumn("author", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("audit_logs_key", ["organization_id", "number"])
      .execute();
  },
};
