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

test("renames a group without replacing the resources that refer to it by its old or new name", async () => {
  const here = await engineFixture();
  const { outside } = here;
  const args = { name: "tenants", location: "aws-us-east-1" };
  let written = "tenants";
  const stack = await here.stack(async () => {
    const group = new dbplatform.Group("tenants", { ...args });
    new dbplatform.Database("literal", { name: "literal", group: written }, { dependsOn: group });
    new dbplatform.ApiToken("literal", { name: "literal", group: written, scopes: ["read"] }, { dependsOn: group });
  });
  await stack.deploy();
  const before = await here.databases();
  const replaced = ["createDatabase", "deleteDatabaseById", "createApiToken", "revokeApiToken"];

  args.name = "customers";
  written = "customers";
  here.writes();
  expect((await stack.preview()).output).not.toMatch(/literal replace/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["renameGroup"]);

  await outside.renameGroup({ organizationSlug: "acme", groupName: "customers", body: { name: "strange" } });
  here.writes();
  expect((await stack.preview()).output).not.toMatch(/literal replace/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.writes().filter((operation) => replaced.includes(operation))).toEqual([]);
  expect(await here.databases()).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
