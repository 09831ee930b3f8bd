import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { fetch, ProxyAgent } from "undici";
import { expect, test } from "vitest";
import { dataFile, sqlWorld } from "./sql";

const FILES = join(__dirname, "../tls/self-signed-for-tests");
const cert = readFileSync(`${FILES}.cert.pem`, "utf8");

test("clients that use the server as a proxy can reach databases by hostname, but no other hosts", async () => {
  const data = dataFile();
  const { database } = await sqlWorld({ data, sql: false });
  const { host, token: authToken } = await database("orders");
  const { api } = await sqlWorld({ data, tls: { cert, key: readFileSync(`${FILES}.key.pem`, "utf8") } });
  // Skips the hostname check, because the test certificate does not contain the database's hostname.
  const requestTls = { ca: cert, checkServerIdentity: () => undefined };
  const dispatcher = new ProxyAgent({ uri: api.url, proxyTls: { ca: cert }, requestTls });
  const tunnelled = async (request: Request) => {
    const { method, url, headers } = request;
    return fetch(url, { method, headers: [...headers], body: await request.text(), dispatcher });
  };
  const client = createClient({ url: `libsql://${host}`, authToken, fetch: tunnelled });
  await client.execute("create table t (x)");
  expect((await client.execute("select count(*) as n from t")).rows[0]?.n).toBe(0);
  for (const other of ["https://db.example.com/v2", `${api.url}/v1/locations`])
    await expect(fetch(other, { dispatcher })).rejects.toThrow();
});
