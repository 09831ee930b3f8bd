import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import type { Hono } from "hono";
import { type ReferenceApi, startReferenceApi } from "pulumi-dbplatform/reference";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { application } from "./app.ts";

// An update takes a few seconds.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const DAY = 86_400;

const state = mkdtempSync(join(tmpdir(), "application-"));
let platform: ReferenceApi;
let stack: Stack;
let deployed: Outputs;
let database: Client;
let app: Hono;

beforeAll(async () => {
  platform = await startReferenceApi({ sql: true });
  const envVars = {
    DBPLATFORM_BASE_URL: platform.url,
    DBPLATFORM_ORGANIZATION: platform.organization,
    DBPLATFORM_API_TOKEN: platform.apiToken,
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  // Runs the program in index.ts unchanged, with a state of its own.
  stack = await LocalWorkspace.createStack({ stackName: "test", workDir: import.meta.dirname }, { envVars });
  deployed = await deploy();
  database = connect(deployed);
  app = application(database);
});

afterAll(async () => {
  await stack?.workspace.removeStack("test", { force: true });
  await platform?.close();
  rmSync(state, { recursive: true });
});

interface Outputs {
  readonly dbId: string;
  readonly token: string;
}

async function deploy(): Promise<Outputs> {
  const { outputs } = await stack.up();
  return { dbId: outputs.dbId?.value, token: outputs.token?.value };
}

/**
 * Connects as main.ts does. The output `url` has a hostname that exists on the platform only, so the test uses the
 * address at which the reference API serves the database.
 */
const connect = ({ dbId, token }: Outputs): Client =>
  createClient({ url: `${platform.url}/sql/${dbId}/`, authToken: token });

const add = (order: object) => app.request("/orders", { method: "POST", body: JSON.stringify(order) });
const listed = async () => (await app.request("/orders")).json();

test("an order is added and found", async () => {
  const added = await add({ item: "tea", quantity: 2 });
  expect([added.status, await added.json()]).toEqual([201, { id: 1, item: "tea", quantity: 2 }]);
  expect(await (await app.request("/orders/1")).json()).toEqual({ id: 1, item: "tea", quantity: 2 });
  expect((await app.request("/orders/2")).status).toBe(404);
});

test("an order of nothing is refused", async () => {
  expect((await add({ item: "tea", quantity: 0 })).status).toBe(400);
});

test("the orders come back with their deleted database", async () => {
  await add({ item: "coffee", quantity: 1 });
  const before = await listed();
  const path = `/v3/organizations/${platform.organizationId}/databases/${deployed.dbId}`;
  await fetch(platform.url + path, { method: "DELETE", headers: { Authorization: `Bearer ${platform.apiToken}` } });
  await expect(database.execute("SELECT 1")).rejects.toThrow("doesn't exist");

  await stack.up();
  expect(await listed()).toEqual(before);
});

test("the token is renewed before it expires", async () => {
  await platform.advance(80 * DAY);
  const renewed = connect(await deploy());
  await platform.advance(20 * DAY);
  await expect(database.execute("SELECT 1")).rejects.toThrow("expired");
  expect((await renewed.execute("SELECT 1")).rows).toHaveLength(1);
});
