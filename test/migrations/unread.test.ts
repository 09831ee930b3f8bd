import { expect, test } from "vitest";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { aDatabaseNamed, dbIdOf, someMigrations } from "../stories/declarations";

const migrated = (folder: string) => ({
  orders: aDatabaseNamed("orders"),
  schema: someMigrations({ database: dbIdOf("orders"), folder: `test/laws/migrations/${folder}` }),
});

test.each([
  ["that is created", undefined],
  ["that is changed", "one"],
])("counts no migration of a resource %s as applied if the database could not be read", async (_, before) => {
  const here = await engineFixture({ sql: true });
  const settings = { organizationId: here.api.organizationId };
  const stack = fakeStack({ api: here.api, settings });
  const { orders } = migrated("two");
  const first = new Map(Object.entries(before === undefined ? { orders } : migrated(before)));
  expect((await stack.run(first, { preview: false })).failure).toBeUndefined();
  const program = new Map(Object.entries(migrated("two")));
  stack.useToken(await here.api.token({ group: "default", scopes: ["read"] }));
  const refused = await stack.run(program, { preview: false });
  expect(refused.failure).toContain("db:mint-token");

  stack.useToken(here.api.apiToken);
  // Without a read, only the state says what is pending.
  const again = await stack.run(program, { preview: false, readsFirst: false });
  expect(again.failure).toBeUndefined();
  expect((await stack.managed()).get("schema")?.outputs).toMatchObject({
    databaseCount: 1,
    behind: [],
    migrations: { "0001_orders": expect.any(String), "0002_invoices": expect.any(String) },
  });
  expect(again.said.join()).toContain("Applied the pending migrations");
});
