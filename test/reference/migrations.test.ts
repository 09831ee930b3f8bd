import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, test } from "vitest";
import { CONFIGURATION_FIELDS } from "../../platform/contract/configuration-fields";
import { CONFIGURATION_SINCE, migrations } from "../../platform/reference/store/migrations/list";
import { nodeSqliteDialect } from "../../platform/reference/store/node-sqlite";

test("adds each configuration field in the migration that `CONFIGURATION_SINCE` names", async () => {
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

  expect(Object.fromEntries(CONFIGURATION_FIELDS.map((name) => [name, since[name]]))).toEqual(CONFIGURATION_SINCE);
  await database.destroy();
});
