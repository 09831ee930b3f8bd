// @module-tag nothing-is-created-twice-or-adopted
// @module-tag secrets-stay-secret

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import {
  NO_OBJECT_IN_STATE,
  objectNotListed,
  ownerNotListed,
  PLAIN_TOKENS,
  SECRETS_ENCRYPTED,
  skippedObject,
  TOKEN_PERMISSIONS,
  TOKEN_UNREADABLE,
  TOKEN_WITHOUT_END,
} from "../../provider/adopt/messages";
import { root } from "../../tools/run";
import { clientOf, environmentOf } from "../engine/engine-fixture";
import { acmeWith } from "../engine/seed";
import { adopt } from "./organization";

const ELSEWHERE = "0a2d4f4c-0f39-4b4d-8a7e-1c2f5a3f7b10";

/** Pulumi's mark of a secret. */
const secret = (value: { readonly plaintext: string } | { readonly ciphertext: string }) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ...value,
});

const token = secret({ ciphertext: "v1:encrypted" });

interface Recorded {
  readonly type: string;
  readonly name: string;
  readonly id?: string;
  readonly outputs?: object;
  readonly delete?: true;
  readonly external?: true;
}

const stateOf = (...resources: readonly Recorded[]) =>
  JSON.stringify({
    version: 3,
    deployment: {
      resources: resources.map(({ name, ...resource }) => ({
        id: name,
        ...resource,
        urn: `urn:pulumi:dev::shop::${resource.type}::${name}`,
      })),
    },
  });

async function shop() {
  const api = await startReferenceApi({ seed: acmeWith(0, { name: "orders" }, { name: "carts" }) });
  onTestFinished(() => api.close());
  const outside = clientOf(api, api.apiToken);
  const { databases } = await outside.listDatabases({ organizationSlug: "acme" });
  const ids = Object.fromEntries(databases.map(({ Name, DbId }) => [Name, DbId]));
  const { jwt } = await outside.createDatabaseToken({ organizationSlug: "acme", databaseName: "orders", query: {} });
  return { api, orders: ids.orders ?? "", carts: ids.carts ?? "", jwt };
}

async function adoptFrom(api: ReferenceApi, ...resources: readonly Recorded[]) {
  const { code, stdout, stderr } = await adopt(environmentOf(api), ["--from", "-"], { input: stateOf(...resources) });
  expect(code, stderr).toBe(0);
  return { resources: JSON.parse(stdout).resources, stderr };
}

test("takes over only what other providers manage, with the token as it is encrypted in the state", async () => {
  const { api, orders, carts } = await shop();
  const ofOrders = { type: "turso:index:DatabaseToken", outputs: { database: "orders", token, expiresAt: "" } };
  const { resources, stderr } = await adoptFrom(
    api,
    { type: "turso:index:Database", name: "main", outputs: { dbId: orders, name: "orders" } },
    { type: "turso:index:Database", name: "deleting", outputs: { dbId: carts }, delete: true },
    { type: "turso:index:Database", name: "read", outputs: { dbId: carts }, external: true },
    { type: "random:index/randomId:RandomId", name: "random", outputs: { dbId: carts } },
    { ...ofOrders, name: "writer" },
  );
  expect(stderr).toBe("");
  expect(resources).toEqual([
    { type: "dbplatform:index:Database", name: "ordersDatabase", logicalName: "orders", id: orders },
    expect.objectContaining({
      type: "dbplatform:index:DatabaseToken",
      logicalName: "writer",
      parent: "ordersDatabase",
      inputs: { database: orders },
      outputs: expect.objectContaining({
        database: orders,
        expiration: "never",
        organizationId: api.organizationId,
        token,
      }),
    }),
  ]);
  const again = await adoptFrom(api, { ...ofOrders, name: "writer" });
  expect(again.resources[0].id).toBe(resources[1].id);
});

test("takes over a group token of celest-dev/pulumi-turso 0.1.5, which has the name of the group in `database`", async () => {
  const { api } = await shop();
  const { groups } = await clientOf(api, api.apiToken).listGroups({ organizationSlug: "acme" });
  const outputs = { database: "default", expiresAt: "", jwt: "not-a-real-token", token };
  const { resources, stderr } = await adoptFrom(api, { type: "turso:index:GroupToken", name: "all", outputs });
  expect(stderr).toBe("");
  expect(resources).toMatchObject([{ type: "dbplatform:index:GroupToken", inputs: { group: groups[0]?.uuid } }]);
  expect(JSON.stringify(resources)).not.toContain("not-a-real-token");
});

test("finds the objects of pierskarsenbarg/pulumi-turso by the UUIDs in its state", async () => {
  const { api, orders } = await shop();
  const { groups } = await clientOf(api, api.apiToken).listGroups({ organizationSlug: "acme" });
  const { resources } = await adoptFrom(
    api,
    { type: "turso:index:Group", name: "main", outputs: { groupId: groups[0]?.uuid, name: "default" } },
    { type: "turso:index:Database", name: "main", outputs: { dbId: orders, groupName: "default", name: "orders" } },
  );
  expect(resources.map(({ name, id }: { name: string; id: string }) => [name, id])).toEqual([
    ["defaultGroup", groups[0]?.uuid],
    ["ordersDatabase", orders],
  ]);
});

test.each<[what: string, recorded: Omit<Recorded, "name">, type: string, reason: string]>([
  [
    "a database that the platform does not list",
    { type: "turso:index:Database", outputs: { dbId: ELSEWHERE, name: "orders" } },
    "Database",
    objectNotListed({ type: "Database" }),
  ],
  [
    "a token for a database that the platform does not list",
    { type: "turso:index:DatabaseToken", outputs: { database: "nowhere", token } },
    "DatabaseToken",
    ownerNotListed({ type: "Database", wanted: "nowhere" }),
  ],
  [
    "a token for a group that attaches databases",
    { type: "turso:index:GroupToken", outputs: { group: "default", token, readAttach: ["carts"] } },
    "GroupToken",
    TOKEN_PERMISSIONS,
  ],
  [
    "a token that expires nobody knows when",
    { type: "turso:index:DatabaseToken", outputs: { database: "orders", token, expiration: "720h", expiresAt: "" } },
    "DatabaseToken",
    TOKEN_WITHOUT_END,
  ],
  [
    "a token without a value",
    { type: "turso:index:DatabaseToken", outputs: { database: "orders" } },
    "DatabaseToken",
    TOKEN_UNREADABLE,
  ],
  [
    "a resource of a dynamic provider that names a database only by name",
    { type: "pulumi-nodejs:dynamic:Resource", id: "orders", outputs: { name: "orders" } },
    "pulumi-nodejs:dynamic:Resource",
    NO_OBJECT_IN_STATE,
  ],
  [
    "an encrypted secret of a dynamic provider",
    { type: "pulumi-nodejs:dynamic/shop:Token", outputs: { jwt: token } },
    "pulumi-nodejs:dynamic/shop:Token",
    SECRETS_ENCRYPTED,
  ],
])("leaves out %s, and says why", async (_, recorded, type, reason) => {
  const { api } = await shop();
  const { resources, stderr } = await adoptFrom(api, { ...recorded, name: "it" });
  expect(resources).toEqual([]);
  expect(stderr).toBe(`${skippedObject({ type, name: "it", id: recorded.id ?? "it", reason })}\n`);
});

test("does not take a database for managed that a dynamic provider's resource only mentions", async () => {
  const { api, orders } = await shop();
  const worker = { type: "pulumi-nodejs:dynamic:Resource", name: "worker", outputs: { database: orders } };
  const { resources, stderr } = await adoptFrom(api, worker);
  expect(resources).toEqual([]);
  expect(stderr).toContain(NO_OBJECT_IN_STATE);
});

test("shows no secret of a malformed state", async () => {
  const { api } = await shop();
  const outputs = { database: "orders", token: secret({ plaintext: "do-not-show" }) };
  const input = stateOf({ type: "turso:index:DatabaseToken", name: "reader", outputs });
  const file = join(tmpdir(), "dbplatform-never-written.json");
  const { code, stdout, stderr } = await adopt(environmentOf(api), ["--from", "-", "--out", file], { input });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `${PLAIN_TOKENS}\n` });
});

test("marks a token in plain text as a secret, and passes it only to another program", async () => {
  const { api, orders, jwt } = await shop();
  const input = stateOf({ type: "pulumi-nodejs:dynamic:Resource", name: "main", id: orders, outputs: { jwt } });
  const { stdout } = await adopt(environmentOf(api), ["--from", "-"], { input });
  const [, adopted] = JSON.parse(stdout).resources;
  expect(adopted.outputs.token).toEqual(secret({ plaintext: JSON.stringify(jwt) }));
  expect(stdout.split(jwt)).toHaveLength(2);

  const folder = mkdtempSync(join(tmpdir(), "dbplatform-adopt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "import.json");
  const refused = await adopt(environmentOf(api), ["--from", "-", "--out", file], { input });
  expect(refused).toEqual({ code: 1, stdout: "", stderr: `${PLAIN_TOKENS}\n` });
  expect(existsSync(file)).toBe(false);

  const output = openSync(file, "w");
  const env = { PATH: process.env.PATH, ...environmentOf(api), STATE: input };
  const command = 'printf %s "$STATE" | "$0" "$1" adopt --from -';
  const child = spawn("sh", ["-c", command, process.execPath, join(root, "dist/dbplatform.js")], {
    env,
    stdio: ["ignore", output, "ignore"],
  });
  const [code] = await once(child, "exit");
  closeSync(output);
  expect({ code, content: readFileSync(file, "utf8") }).toEqual({ code: 1, content: "" });
});
