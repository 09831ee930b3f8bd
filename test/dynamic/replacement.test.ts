// @module-tag no-database-is-lost
// @module-tag tokens

import { expect, test } from "vitest";
import { replacementUnseen } from "../../kit/dynamic/messages";
import { DynamicProvider } from "../../kit/dynamic/provider";
import { Instances } from "../../kit/instance";
import type { Properties } from "../../kit/lifecycle/properties";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
import { apiToken } from "../../provider/resources/token/api-token";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const encryption = (fill: number) => ({ cipher: "aegis256", key: Buffer.alloc(32, fill).toString("base64") });

/** Returns a provider, and the inputs of a database in the group "default". */
async function orders() {
  const { api } = await lifecycleFixture();
  const __settings = { baseUrl: api.url, organization: api.organization, apiToken: api.apiToken };
  const own = { __settings, __logicalName: "orders", name: "orders", group: "default" };
  return {
    provider: new DynamicProvider(database, new Instances(dbplatform)),
    program: (given: Properties) => ({ ...own, ...given }),
  };
}

test("refuses a new encryption key, because the preview cannot warn that the database would be replaced", async () => {
  const { provider, program } = await orders();
  const { id, outs = {} } = await provider.create(program({ encryption: encryption(7) }));
  const against = (given: Properties) => provider.diff(id, outs, program(given));

  expect(await against({ encryption: encryption(7) })).toMatchObject({ changes: false });
  expect(await against({})).toMatchObject({ replaces: [] });
  expect(await against({ encryption: encryption(7), name: "other" })).toMatchObject({ replaces: ["name"] });
  const { advice } = replacementUnseen({ title: 'database "orders"', property: "encryption" });
  await expect(against({ encryption: encryption(8) })).rejects.toThrow(advice);
});

test("replaces a token when the program adds `keepers`, also if it was imported without", async () => {
  const { api } = await lifecycleFixture();
  const { id } = await clientOf(api, api.apiToken).createApiToken({ tokenName: "old", body: { organization: "acme" } });
  const __settings = { baseUrl: api.url, organization: api.organization, apiToken: api.apiToken };
  const provider = new DynamicProvider(apiToken, new Instances(dbplatform));
  const program = (name: string, given: Properties = {}) => ({ __settings, __logicalName: name, name, ...given });
  const keepers = { leak: "1" };
  const made = await provider.create(program("ci"));
  const imported = await provider.create(program("old", { __import: id }));
  for (const [name, one] of Object.entries({ ci: made, old: imported })) {
    expect(await provider.diff(one.id, one.outs ?? {}, program(name))).toMatchObject({ replaces: [] });
    expect(await provider.diff(one.id, one.outs ?? {}, program(name, { keepers }))).toMatchObject({
      replaces: ["keepers"],
    });
  }
  expect(imported.id).toBe(id);
});

test("imports a token into a resource that has `keepers` already", async () => {
  const { api } = await lifecycleFixture();
  const { id } = await clientOf(api, api.apiToken).createApiToken({ tokenName: "old", body: { organization: "acme" } });
  const __settings = { baseUrl: api.url, organization: api.organization, apiToken: api.apiToken };
  const provider = new DynamicProvider(apiToken, new Instances(dbplatform));
  const program = { __settings, __logicalName: "old", __import: id, name: "old", keepers: { leak: "1" } };
  const imported = await provider.create(program);
  expect(imported.id).toBe(id);
  expect(await provider.diff(id, imported.outs ?? {}, program)).toMatchObject({ changes: false });
});

test("records a reference to the same group that the program writes in another way", async () => {
  const { provider, program } = await orders();
  const { id, outs = {} } = await provider.create(program({}));
  expect(await provider.diff(id, outs, program({}))).toMatchObject({ changes: false });
  const byId = program({ group: outs.groupId });
  expect(await provider.diff(id, outs, byId)).toMatchObject({ changes: true, replaces: [] });
  const updated = await provider.update(id, outs, byId);
  expect(await provider.diff(id, updated.outs ?? {}, byId)).toMatchObject({ changes: false });
});

test("keeps an old object that the program declares again also after a rotation of the provider's token", async () => {
  const { api } = await lifecycleFixture();
  const outside = clientOf(api, api.apiToken);
  const { token } = await outside.createApiToken({ tokenName: "rotated", body: { organization: "acme" } });
  const program = (group: string, apiToken = api.apiToken) => ({
    __settings: { baseUrl: api.url, organization: api.organization, apiToken },
    __logicalName: "orders",
    group,
  });
  const earlier = new DynamicProvider(database, new Instances(dbplatform));
  const made = async (provider: DynamicProvider, given: Properties) =>
    provider.create((await provider.check({}, given)).inputs ?? {});
  const old = await made(earlier, program("default"));
  const current = await made(earlier, program("other"));

  const rotated = new DynamicProvider(database, new Instances(dbplatform));
  const wanted = program("default", token);
  const { inputs = {} } = await rotated.check(current.outs ?? {}, wanted);
  expect(await rotated.diff(current.id, current.outs ?? {}, inputs)).toMatchObject({ replaces: ["group"] });
  await made(rotated, wanted);
  await expect(rotated.delete(old.id, old.outs ?? {})).rejects.toThrow(old.id);
  const { databases } = await outside.listDatabases({ organizationSlug: "acme" });
  expect(databases.map(({ DbId }) => DbId)).toContain(old.id);
});
