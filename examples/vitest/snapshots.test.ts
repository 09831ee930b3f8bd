import { type Client, createClient } from "@libsql/client";
import { type ReferenceApi, startReferenceApi } from "pulumi-dbplatform/reference";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

let platform: ReferenceApi;
let orders: Client;

// Makes the data only once, however long that takes. Each test begins with it.
beforeAll(async () => {
  platform = await startReferenceApi({ sql: true });
  orders = await createDatabase("orders");
  await orders.batch([
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)",
    "INSERT INTO orders (item) VALUES ('tea'), ('coffee')",
  ]);
  await platform.save("seeded");
});
beforeEach(() => platform.load("seeded"));
afterAll(() => platform.close());

async function createDatabase(name: string): Promise<Client> {
  const { database } = await send("POST", "", { name, group: "default" });
  const { jwt } = await send("POST", `/${name}/auth/tokens`);
  return createClient({ url: `${platform.url}/sql/${database.DbId}/`, authToken: jwt });
}

async function send(method: string, path: string, body?: object) {
  const { url, organization, apiToken } = platform;
  const headers = { Authorization: `Bearer ${apiToken}` };
  const answer = await fetch(`${url}/v1/organizations/${organization}/databases${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.json();
}

const items = async () => (await orders.execute("SELECT item FROM orders ORDER BY id")).rows.map(({ item }) => item);

test("an order is cancelled", async () => {
  await orders.execute("DELETE FROM orders WHERE item = 'tea'");
  expect(await items()).toEqual(["coffee"]);
});

test("an order is added", async () => {
  await orders.execute("INSERT INTO orders (item) VALUES ('cocoa')");
  expect(await items()).toEqual(["tea", "coffee", "cocoa"]);
});

test("the database is deleted", async () => {
  await send("DELETE", "/orders");
  await expect(items()).rejects.toThrow("doesn't exist");
});

test("the next test finds everything as it was", async () => {
  expect(await items()).toEqual(["tea", "coffee"]);
});
