// @module-tag more
// @module-tag clear-messages

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, onTestFinished, test, vi } from "vitest";
import { environmentsDiffer, SETTINGS_OF_RESOURCE } from "../../kit/dynamic/messages";
import { hostNotFound, providerOfComponent } from "../../kit/dynamic/sdk";
import { root } from "../../tools/run";
import { engineFixture, environmentOf } from "./engine-fixture";

const organizationSlug = "acme";

/** Matches the frames of a stack trace. */
const STACK_TRACE = /^\s+at /m;

test("says how to go on after the token of a dynamic `Provider` was replaced, and deletes with the new token", async () => {
  const here = await engineFixture();
  const { api, outside } = here;
  const mint = (tokenName: string) =>
    outside
      .createApiToken({ tokenName, body: { organization: organizationSlug } })
      .then(({ id, token }) => ({ id, token }));
  const revoke = (tokenId: string) => outside.revokeApiToken({ organizationSlug, tokenId });
  let key = await mint("first");
  let declared = ["a", "b"];
  const stack = await here.stack(async () => {
    const settings = { organization: organizationSlug, apiToken: key.token, baseUrl: api.url };
    const provider = new dynamic.Provider("other", settings);
    for (const name of declared) new dynamic.Database(name, { name, group: "default" }, { provider });
  });
  const replaceToken = async (name: string) => {
    await revoke(key.id);
    key = await mint(name);
  };
  await stack.deploy();
  const { a } = await here.databases();

  await replaceToken("second");
  const refreshed = await stack.refresh();
  expect(refreshed.code).not.toBe(0);
  expect(refreshed.output).toContain(SETTINGS_OF_RESOURCE);
  // Another resource has the same Provider, so the new token is known when the database is deleted.
  declared = ["a"];
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ a });

  await replaceToken("third");
  declared = [];
  const removed = await stack.up();
  expect(removed.code).not.toBe(0);
  expect(removed.output).toContain(SETTINGS_OF_RESOURCE);
  expect(removed.output).not.toMatch(STACK_TRACE);
  expect(await here.databases()).toEqual({ a });
  declared = ["a"];
  expect(await stack.up()).toMatchObject({ code: 0 });
  declared = [];
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
});

test("says what to do instead of giving a dynamic `Provider` to a component", async () => {
  const here = await engineFixture();
  const settings = { organization: organizationSlug, apiToken: here.api.apiToken, baseUrl: here.api.url };
  class Tenant extends ComponentResource {
    constructor(name: string, options: ComponentResourceOptions) {
      super("test:index:Tenant", name, {}, options);
    }
  }
  const provider = new dynamic.Provider("other", settings) as never;
  let options: ComponentResourceOptions = {};
  const stack = await here.stack(async () => void new Tenant("tenant", options));
  for (options of [{ provider }, { providers: [provider] }, { providers: { dbplatform: provider } }]) {
    const refused = await stack.preview();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(providerOfComponent("other"));
    expect(refused.output).not.toMatch(STACK_TRACE);
  }
});

/** Makes a workspace in which only a package that the program uses depends on this one, as pnpm installs it. */
function workspace(): { readonly program: string; readonly add: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-workspace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [program, library] = [join(folder, "program"), join(folder, "packages/databases")];
  for (const each of [program, library]) {
    mkdirSync(join(each, "node_modules"), { recursive: true });
    symlinkSync(join(root, "node_modules/@pulumi"), join(each, "node_modules/@pulumi"));
  }
  const add = (to: string) => symlinkSync(root, join(to, "node_modules/pulumi-dbplatform"));
  add(library);
  symlinkSync(library, join(program, "node_modules/databases"));
  writeFileSync(join(library, "index.js"), 'exports.Database = require("pulumi-dbplatform/dynamic").Database;\n');
  writeFileSync(
    join(program, "index.js"),
    'const { Database } = require("databases");\nnew Database("orders", { name: "orders", group: "default" });\n',
  );
  writeFileSync(join(program, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: index.js\n");
  writeFileSync(join(program, "package.json"), "{}\n");
  return { program, add: () => add(program) };
}

test("says what to install if only a package that the program uses depends on the dynamic providers", async () => {
  const here = await engineFixture();
  const { program, add } = workspace();
  const stack = await here.stack({ folder: program });
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(hostNotFound("pulumi-dbplatform"));
  expect(refused.output).not.toMatch(STACK_TRACE);
  add();
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders: expect.any(String) });
});

test("refuses an environment that gives functions another organization than resources", async () => {
  const here = await engineFixture();
  const { api } = here;
  const unrestricted = await api.token({ organization: null });
  await here.createDatabase("of-acme");
  for (const [name, value] of Object.entries(environmentOf(api, "acme", unrestricted))) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stack = await here.stack(
    async () => {
      const { databases } = await dynamic.getDatabases();
      const { name } = new dynamic.Database("of-globex", { name: "of-globex", group: "default" });
      return { found: databases.map((database) => database.name), name };
    },
    { environment: environmentOf(api, "globex", unrestricted) },
  );
  const setting = { provider: "dbplatform", name: "organization", variable: "DBPLATFORM_ORGANIZATION" };
  for (const refused of [await stack.preview(), await stack.up()]) {
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(environmentsDiffer(setting).answer);
    expect(refused.output).toContain(environmentsDiffer(setting).advice);
    expect(refused.output).not.toMatch(STACK_TRACE);
  }
  expect(await here.databases()).toEqual({ "of-acme": expect.any(String) });
  await stack.setConfig("dbplatform:organization", "globex");
  await stack.deploy();
  await stack.deploy();
  expect(await stack.outputs()).toEqual({ found: ["of-globex"], name: "of-globex" });
});
