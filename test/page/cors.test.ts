import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { sqlWorld } from "../reference/sql/sql";
import { visit } from "./browser";

/** Opens a page of another origin that has the official client for browsers. */
async function foreignPage() {
  const contents = 'export { createClient } from "@libsql/client/web"';
  const stdin = { contents, resolveDir: __dirname };
  const options = { bundle: true, format: "iife", globalName: "libsql", platform: "browser", write: false } as const;
  const { outputFiles } = await build({ stdin, ...options });
  const html = `<!doctype html><title>Other</title><script>${outputFiles[0]?.text.replaceAll("</script", "<\\/script")}</script>`;
  const server = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(html));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { page } = await visit();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    query: (config: { url: string; authToken: string }) =>
      page.evaluate(async (config) => {
        const { createClient } = (globalThis as unknown as { libsql: typeof import("@libsql/client/web") }).libsql;
        const client = createClient(config);
        return Number((await client.execute("select 7 as x")).rows[0]?.x);
      }, config),
    /** Returns the status of the response; `undefined` if the browser does not let the page read it. */
    fetch: (url: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
      page.evaluate(
        ([url, init]) =>
          fetch(url, init).then(
            ({ status }) => status,
            () => undefined,
          ),
        [url, init] as const,
      ),
  };
}

test("a page of another origin can query a database over HTTP and WebSockets, but not read other routes", async () => {
  const { api, database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const page = await foreignPage();
  expect(await page.query({ url, authToken })).toBe(7);
  expect(await page.query({ url: url.replace("http:", "ws:"), authToken })).toBe(7);
  expect(await page.fetch(`${url}v2/pipeline`, { method: "POST", body: "{}" })).toBe(401);
  const headers = { Authorization: `Bearer ${api.apiToken}` };
  expect(await page.fetch(`${api.url}/v1/locations`, { headers })).toBeUndefined();
  expect(await page.fetch(`${api.url}/v1/locations`)).toBeUndefined();
});

test("with `cors`, a page of another origin can use the platform's API, but not the server's own routes", async () => {
  const { api } = await sqlWorld({ cors: true });
  const page = await foreignPage();
  const headers = { Authorization: `Bearer ${api.apiToken}`, "Content-Type": "application/json" };
  expect(await page.fetch(`${api.url}/v1/locations`, { headers })).toBe(200);
  expect(await page.fetch(`${api.url}/v1/locations`)).toBe(401);
  const groups = `${api.url}/v1/organizations/${api.organization}/groups`;
  const body = JSON.stringify({ name: "shop", location: "aws-us-east-1" });
  expect(await page.fetch(groups, { method: "POST", headers, body })).toBe(200);
  expect(await page.fetch(`${groups}/shop`, { method: "DELETE", headers })).toBe(200);
  for (const path of ["", "_reference/journal", "%5Freference/journal", "openapi.json", "docs", "page/pulse"])
    expect(await page.fetch(`${api.url}/${path}`), path).toBeUndefined();
  expect(await page.fetch(`${api.url}/_reference/reset`, { method: "POST" })).toBeUndefined();
  expect(api.journal().at(-1)).toMatchObject({ path: "/_reference/reset", status: 403 });
});
