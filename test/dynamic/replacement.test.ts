import { expect, test } from "vitest";
import { replacementUnseen } from "../../kit/dynamic/messages";
import { DynamicProvider } from "../../kit/dynamic/provider";
import { Instances } from "../../kit/instance";
import type { Properties } from "../../kit/lifecycle/properties";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
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

test("records a reference to the same group that the program writes in another way", async () => {
  const { provider, program } = await orders();
  const { id, outs = {} } = await provider.create(program({}));
  expect(await provider.diff(id, outs, program({}))).toMatchObject({ changes: false });
  const byId = program({ group: outs.groupId });
  expect(await provider.diff(id, outs, byId)).toMatchObject({ changes: true, replaces: [] });
  const updated = await provider.update(id, outs, byId);
  expect(await provider.diff(id, updated.outs ?? {}, byId)).toMatchObject({ changes: false });
});
