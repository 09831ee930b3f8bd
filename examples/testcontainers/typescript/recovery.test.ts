import { randomUUID } from "node:crypto";
import { createClient } from "@libsql/client";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { afterAll, beforeAll, expect, test } from "vitest";

const FIVE_DAYS = 5 * 86_400;
const DATABASES = "/v1/organizations/acme/databases";

const key = randomUUID();
let container: StartedTestContainer;
let url: string;
let apiToken: string;
let organizationId: string;

beforeAll(async () => {
  container = await new GenericContainer("dbplatform-api")
    .withEnvironment({ DBPLATFORM_REFERENCE_KEY: key })
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp("/_reference/health", 8080))
    .start();
  url = `http://${container.getHost()}:${container.getMappedPort(8080)}`;
  apiToken = (await send("POST", "/_reference/tokens")).token;
  organizationId = (await send("GET", "/_reference/organizations")).organizations[0].id;
}, 120_000);
afterAll(() => container?.stop());

/** Sends a request to the platform. Its own routes, under /_reference/, require the key. */
async function send(method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${apiToken}`, "Reference-Key": key };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

test("a deleted database comes back with its rows within five days, and not later", async () => {
  const { database } = await send("POST", DATABASES, { name: "orders", group: "default" });
  const { jwt: authToken } = await send("POST", `${DATABASES}/orders/auth/tokens`);
  const client = createClient({ url: `${url}/sql/${database.DbId}/`, authToken });
  await client.batch(["create table items (name text)", "insert into items values ('tea')"]);

  const restore = `/v3/organizations/${organizationId}/databases/${database.DbId}/restore`;
  await send("DELETE", `${DATABASES}/orders`);
  await send("POST", restore);
  expect((await client.execute("select name from items")).rows).toMatchObject([{ name: "tea" }]);

  await send("DELETE", `${DATABASES}/orders`);
  await send("POST", "/_reference/clock/advance", { seconds: FIVE_DAYS + 1 });
  await expect(send("POST", restore)).rejects.toThrow("404");
});
