// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag secrets-stay-secret
// @module-tag clear-messages

import { ComponentResource } from "@pulumi/pulumi";
import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, onTestFinished, test, vi } from "vitest";
import { replacementDuringImport } from "../../kit/dynamic/messages";
import { groupNotFound } from "../../provider/resources/group/messages";
import { objectNotFound } from "../../provider/resources/messages";
import { engineFixture } from "./engine-fixture";

test("creates, reads, restores, imports and destroys a database with the dynamic provider", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const forgotten = await here.createDatabase("forgotten");
  await here.deleteDatabase(forgotten);
  here.takeWrites();
  let importing: string | undefined;
  let group = "default";
  // Sets the token in the test's process, because that process also runs the program and its functions.
  vi.stubEnv("DBPLATFORM_API_TOKEN", here.api.apiToken);
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = { "dbplatform:organization": here.api.organization, "dbplatform:baseUrl": here.api.url };
  const plain: string[][] = [];
  let asking = true;
  const stack = await here.stack(
    async () => {
      const { databases } = await dynamic.getDeletedDatabases({ search: "forgotten" });
      plain.push(databases.map((deleted) => deleted.dbId));
      const { dbId, name } = new dynamic.Database("orders", { group: "default" });
      if (importing) new dynamic.Database("forgotten", { group }, { import: importing });
      if (!asking) return { dbId, name };
      // The preview predicts the function's result, although the database does not exist yet.
      const asked = dynamic.getDatabaseOutput({ name });
      return { dbId, name, asked: asked.name, organization: dynamic.getOrganizationOutput().slug };
    },
    { config },
  );
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(plain).toEqual([[forgotten]]);
  expect(here.takeWrites()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { dbId, name, ...told } = (await stack.outputs()) as Record<"dbId" | "name", string>;
  expect(told).toEqual({ asked: name, organization: "acme" });
  asking = false;
  expect(name).toMatch(/^orders-[0-9a-f]{7}$/);
  expect(await here.databases()).toEqual({ [name]: dbId });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["createDatabase"]);

  await here.deleteDatabase(dbId);
  const drift = await stack.preview({ refresh: true, expectNoChanges: true } as never);
  expect(drift.code).toBe(7);
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ [name]: dbId });

  importing = "00000000-0000-4000-8000-000000000000";
  const unknown = await stack.up();
  expect(unknown.code).not.toBe(0);
  expect(unknown.output).toContain(objectNotFound({ kind: "database", id: importing, organization: "acme" }));
  importing = forgotten;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ [name]: dbId, forgotten });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.refresh()).toMatchObject({ code: 0 });

  // The preview rejects a replacement, because the new database would need the name of the imported database.
  group = "other";
  const replacing = await stack.preview();
  expect(replacing.code).not.toBe(0);
  expect(replacing.output).toContain(replacementDuringImport({ properties: [], imported: "" }).advice);
  group = "default";

  const state = JSON.stringify(await stack.exportState());
  expect(state).not.toContain(here.api.apiToken);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});

test.each([
  ["plugin", plugin],
  // The cast is safe, because the SDKs differ only in how they declare resource options.
  ["dynamic", dynamic as unknown as typeof plugin],
])(
  "manages all four resources in two organizations with the %s provider, and prints no secrets",
  { tags: "more" },
  async (_, sdk) => {
    const here = await engineFixture();
    const { api, outside } = here;
    const globex = await api.token({ organization: "globex" });
    const stack = await here.stack(async () => {
      const provider = new sdk.Provider("globex", { organization: "globex", apiToken: globex, baseUrl: api.url });
      const group = new sdk.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
      const { dbId } = new sdk.Database("orders", { name: "orders", group: group.id });
      new sdk.DatabaseConfiguration("orders", { database: dbId, blockWrites: true, sizeLimit: "1gb" });
      const { token } = new sdk.ApiToken("ci", { group: group.id, scopes: ["read"] });
      const other = new sdk.Database("orders-there", { name: "orders", group: "default" }, { provider });
      const asked = sdk.getDatabaseOutput({ dbId: other.dbId }, { provider }).hostname;
      const organization = (await sdk.getOrganization({ provider })).slug;
      return { dbId, token, hostname: other.hostname, asked, organization };
    });
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { dbId, token, hostname, asked, organization } = (await stack.outputs()) as Record<string, string>;
    expect([asked, organization]).toEqual([hostname, "globex"]);
    expect(hostname).toMatch(/^orders-globex\./);
    expect(await stack.up({ refresh: true, expectNoChanges: true })).toMatchObject({ code: 0 });

    // The group and its database are deleted outside Pulumi. The update restores both, and reapplies the configuration.
    await outside.deleteGroup({ organizationSlug: "acme", groupName: "tenants" });
    here.takeWrites();
    expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
    expect(here.takeWrites().sort()).toEqual(["createApiToken", "restoreGroup", "updateDatabaseConfiguration"]);
    expect(await here.databases()).toEqual({ orders: dbId });
    for (const secret of [api.apiToken, globex, String(token)]) expect(stack.filesWith(secret)).toEqual([]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({});
  },
);

test("creates a dynamic database in a component beside one with the same logical name", { tags: "more" }, async () => {
  const here = await engineFixture();
  class Tenant extends ComponentResource {
    readonly dbId = new dynamic.Database("db", { group: "default" }, { parent: this }).dbId;
  }
  let hasTenant = false;
  const stack = await here.stack(async () => ({
    own: new dynamic.Database("db", { group: "default" }).dbId,
    ...(hasTenant && { tenant: new Tenant("test:index:Tenant", "tenant").dbId }),
  }));
  await stack.deploy();
  hasTenant = true;
  await stack.deploy();
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  const { own, tenant } = (await stack.outputs()) as Record<string, string>;
  expect(Object.values(await here.databases()).sort()).toEqual([own, tenant].sort());
});

test("moves a database between the adapters by `state delete` and `import`", { tags: "more" }, async () => {
  const here = await engineFixture();
  let provider: "plugin" | "dynamic" = "plugin";
  let dbId: string | undefined;
  const stack = await here.stack(async () => {
    const args = { name: "orders", group: "default" };
    const options = dbId === undefined ? {} : { import: dbId };
    const database =
      provider === "plugin"
        ? new plugin.Database("orders", args, options)
        : new dynamic.Database("orders", args, options);
    return { dbId: database.dbId, urn: database.urn };
  });
  await stack.deploy();
  for (const next of ["dynamic", "plugin"] as const) {
    const now = (await stack.outputs()) as { dbId: string; urn: string };
    here.takeWrites();
    // Switches between plugin and dynamic provider as documented: removes the database from the state, then imports it.
    expect(await stack.cli("state", "delete", now.urn, "--yes")).toMatchObject({ code: 0 });
    provider = next;
    dbId = now.dbId;
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(here.takeWrites()).toEqual([]);
    expect(await here.databases()).toEqual({ orders: dbId });
  }
});

test("with dynamic providers, renames a group without replacing the resources that refer to it by name", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const names = { group: "tenants" };
  const stack = await here.stack(async () => {
    const group = new dynamic.Group("tenants", { name: names.group, location: "aws-us-east-1" });
    new dynamic.Database("orders", { name: "orders", group: group.name });
    new dynamic.ApiToken("ci", { name: "ci", group: group.name, scopes: ["read"] });
  });
  await stack.deploy();
  names.group = "customers";
  here.takeWrites();
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.output).not.toContain("replace");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["renameGroup"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("with dynamic providers, moves a database into a group created in the same update", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  let fresh = false;
  const stack = await here.stack(async () => {
    const group = fresh ? new dynamic.Group("fresh", { name: "fresh", location: "aws-us-east-1" }).name : "default";
    new dynamic.Database("orders", { name: "orders", group });
  });
  await stack.deploy();
  fresh = true;
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites().slice(-3)).toEqual(["createGroup", "deleteDatabaseById", "createDatabase"]);
});

test("with dynamic providers, reports errors and missing settings without a stack trace", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { name: "orders", group: "default" };
  const stack = await here.stack(async () => void new dynamic.Database("orders", args));
  await stack.deploy();
  args.group = "defualt";
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(groupNotFound({ wanted: "defualt", organization: "acme" }));
  stack.setEnvironment({ DBPLATFORM_API_TOKEN: "" });
  const without = await stack.preview();
  expect(without.code).not.toBe(0);
  expect(without.output).toContain("pulumi config set --secret dbplatform:apiToken");
  stack.program = async () => {
    await dynamic.getGroup({ name: "missing" });
  };
  const asked = await stack.preview();
  expect(asked.code).not.toBe(0);
  expect(asked.output).toContain("dbplatform:apiToken");
  for (const { output } of [refused, without, asked]) expect(output).not.toMatch(/^\s+at |dynamic-host/m);
});

test("with dynamic providers, restores one database and deletes another in the same update", async () => {
  const here = await engineFixture();
  const declared = { leaving: true, group: true };
  const stack = await here.stack(async () => {
    if (declared.group)
      new dynamic.Group("tenants", { name: "tenants", location: "aws-us-east-1", forceDestroy: true });
    new dynamic.Database("inside", { name: "inside", group: "tenants" });
    new dynamic.Database("restored", { name: "restored", group: "default" });
    if (!declared.leaving) return;
    new dynamic.Database("leaving", { name: "leaving", group: "default" });
    new dynamic.ApiToken("leaving", { name: "leaving" });
  });
  // A group name written as a literal creates no dependency, so the first update may fail because the group does not
  // exist yet.
  await stack.up();
  await stack.deploy();
  const { restored = "", inside } = await here.databases();
  await here.deleteDatabase(restored);
  declared.leaving = false;
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ inside, restored });
  const { tokens } = await here.outside.listApiTokens({ organizationSlug: "acme" });
  expect(tokens.map(({ name }) => name)).not.toContain("leaving");

  declared.group = false;
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('the program still declares database "inside"');
  expect(await here.databases()).toEqual({ inside, restored });
});
