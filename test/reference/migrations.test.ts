import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, test } from "vitest";
import { CONFIGURATION, CONFIGURATION_FIELDS } from "../../platform/contract/configuration-fields";
import { UNCONFIGURED_COLUMNS } from "../../platform/reference/operations/configuration";
import { addField, migrations } from "../../platform/reference/store/migrations/list";
import { nodeSqliteDialect } from "../../platform/reference/store/node-sqlite";

test("numbers the migrations without gaps, so that a new one follows all that have run on existing data", () => {
  const names = Object.keys(migrations);
  expect(names.map((name) => Number.parseInt(name, 10))).toEqual(names.map((_, index) => index + 1));
});

test("adds each configuration field in the migration that its row names", async () => {
  const database = new Kysely<unknown>({ dialect: nodeSqliteDialect(":memory:") });
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const columns = async () => {
    const tables = await database.introspection.getTables();
    return tables.find(({ name }) => name === "databases")?.columns.map(({ name }) => name) ?? [];
  };

  const since: Record<string, string> = {};
  for (const migration of Object.keys(migrations)) {
    await migrator.migrateTo(migration);
    for (const column of await columns()) since[column] ??= migration;
  }

  for (const [name, row] of Object.entries(CONFIGURATION)) expect(since[name]?.slice(0, 4), name).toBe(row.since);
  await database.destroy();
});

test("gives existing databases the default of a new configuration field", async () => {
  const database = new Kysely<{ databases: { id: string } }>({ dialect: nodeSqliteDialect(":memory:") });
  await database.schema.createTable("databases").addColumn("id", "text").execute();
  await database.insertInto("databases").values({ id: "orders" }).execute();

  for (const name of CONFIGURATION_FIELDS) await addField(name).up(database);

  expect(await database.selectFrom("databases").selectAll().execute()).toEqual([
    { id: "orders", ...UNCONFIGURED_COLUMNS },
  ]);
  await database.destroy();
});
