import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";

const COUNT = 50;

test("creates fifty configured databases with one request each, and reads them with one list request", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
    for (let index = 0; index < COUNT; index++) {
      const { dbId } = new dbplatform.Database(`db-${index}`, { name: `db-${index}`, group: group.id });
      new dbplatform.DatabaseConfiguration(`db-${index}`, {
        database: dbId,
        sizeLimit: "1gb",
        allowedIps: ["10.0.0.0/8"],
      });
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
  expect(countOf(looked, "retrieveDatabaseConfiguration")).toBe(COUNT);
  expect(looked.length).toBeLessThanOrEqual(COUNT + 8);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});
