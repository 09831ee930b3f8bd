// @module-tag no-database-is-lost
// @module-tag secrets-stay-secret

import { expect, test } from "vitest";
import { DynamicProvider } from "../../kit/dynamic/provider";
import { Instances } from "../../kit/instance";
import type { Properties } from "../../kit/lifecycle/properties";
import type { Cipher } from "../../platform/values/cipher";
import { dbplatform } from "../../provider/provider";
import { resources } from "../../provider/resources/list";
import { engineFixture } from "../engine/engine-fixture";

const organizationSlug = "acme";
const encryptionWith = (fill: number, cipher: Cipher = "aegis256") => ({
  cipher,
  key: Buffer.alloc(32, fill).toString("base64"),
});

/** Returns a function that imports an object as the resource of a program. */
async function importing() {
  const here = await engineFixture();
  const { url: baseUrl, organization, apiToken } = here.api;
  const __settings = { baseUrl, organization, apiToken };
  const imported = async (type: "Database" | "Group", id: string, args: Properties) => {
    const resource = resources.find((one) => one.type === type) as (typeof resources)[number];
    const provider = new DynamicProvider(resource, new Instances(dbplatform));
    return provider.create({ __settings, __logicalName: "imported", __import: id, ...args });
  };
  return { here, imported };
}

test("keeps a group that was restored in another location, and reports an error", async () => {
  const { here, imported } = await importing();
  const { groups } = await here.outside.listGroups({ organizationSlug });
  const id = groups.find(({ name }) => name === "other")?.uuid ?? "";
  await here.outside.deleteGroup({ organizationSlug, groupName: "other" });
  await expect(imported("Group", id, { name: "other", location: "aws-us-east-1" })).rejects.toMatchObject({
    message: expect.stringMatching(/Restored group "other" .*"aws-eu-west-1"/),
    ...{ id, properties: { location: "aws-eu-west-1" } },
  });
});

test("restores a deleted database whatever its seed is in the program", async () => {
  const { here, imported } = await importing();
  const id = await here.createDatabase("orders");
  await here.deleteDatabase(id);
  here.takeWrites();
  const seed = { dumpFile: "no/such.sql" };
  const { outs } = await imported("Database", id, { name: "orders", group: "default", seed });
  expect(outs).not.toHaveProperty("seed");
  expect(here.takeWrites()).toEqual(["restoreDatabase"]);
});

test("imports an encrypted database with its cipher, and records the key in the program", async () => {
  const { here, imported } = await importing();
  const { cipher, key } = encryptionWith(7);
  const orders = { name: "orders", group: "default" };
  const remote_encryption = { encryption_cipher: cipher, encryption_key: key };
  await here.outside.createDatabase({ organizationSlug, body: { ...orders, remote_encryption } });
  const { orders: id = "" } = await here.databases();
  const another = encryptionWith(8, "aes256gcm");
  const failure = await imported("Database", id, { ...orders, encryption: another }).catch((thrown) => thrown);
  expect(failure.message).toMatch(/aegis256.*aes256gcm/);
  expect(failure.message).not.toContain(another.key);
  expect(failure, "nothing is recorded").not.toHaveProperty("properties");

  await here.deleteDatabase(id);
  const { outs } = await imported("Database", id, { ...orders, encryption: { cipher, key } });
  expect(outs).toMatchObject({ encryption: { cipher, key }, encryptionCipher: cipher });
});
