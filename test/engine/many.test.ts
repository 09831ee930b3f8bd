// @module-tag more
// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";

const COUNT = 50;

const organizationSlug = "acme";

test("creates fifty configured databases with one request each, and reads what lists show with one request", async () => {
  const here = await engineFixture();
  let settings: Omit<dbplatform.DatabaseConfigurationArgs, "database"> = {
    sizeLimit: "1gb",
    allowedIps: ["10.0.0.0/8"],
  };
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
    for (let index = 0; index < COUNT; index++) {
      const { dbId } = new dbplatform.Database(`db-${index}`, { name: `db-${index}`, group: group.id });
      new dbplatform.DatabaseConfiguration(`db-${index}`, { database: dbId, ...settings });
    }
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const made = here.api.journal();
  const countOf = (entries: typeof made, name: string) => entries.filter(({ operation }) => operation === name).length;
  expect(countOf(made, "createDatabase")).toBe(COUNT);
  expect(countOf(made, "updateDatabaseConfiguration")).toBe(COUNT);
  expect(made.length).toBeLessThanOrEqual(2 * COUNT + 10);

  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  const looked = here.api.journal().slice(made.length);
  // No list shows the size limit.
  expect(countOf(looked, "retrieveDatabaseConfiguration")).toBe(COUNT);
  expect(looked.length).toBeLessThanOrEqual(COUNT + 8);

  settings = { allowedIps: ["10.0.0.0/8"], deleteProtection: false };
  expect(await stack.up()).toMatchObject({ code: 0 });
  const before = here.api.journal().length;
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.api.journal().slice(before).length).toBeLessThanOrEqual(8);

  await here.outside.updateDatabaseConfiguration({
    organizationSlug,
    databaseName: "db-7",
    body: { allowed_ips: [], size_limit: "2gb" },
  });
  const drifted = await stack.preview();
  expect(drifted.output.match(/DatabaseConfiguration \S+ update/g)).toEqual(["DatabaseConfiguration db-7 update"]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName: "db-7" })).toMatchObject({
    allowed_ips: ["10.0.0.0/8"],
    size_limit: "2gb",
  });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});
