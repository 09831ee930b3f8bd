// @module-tag secrets-stay-secret

import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { visit } from "./browser";
import { shop } from "./shop";

const advance = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/page/clock`, {
    method: "POST",
    redirect: "manual",
    headers,
    body: new URLSearchParams({ advance: "60" }),
  });

test("rejects changes from pages of another origin", async () => {
  const { api } = await shop();
  const before = await api.clock.now();
  expect((await advance(api.url, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await advance(api.url, { Origin: "null" })).status).toBe(403);
  const reset = { method: "POST", headers: { Origin: "https://evil.example" } };
  expect((await fetch(`${api.url}/page/reset`, reset)).status).toBe(403);
  expect(await api.clock.now()).toEqual(before);
  expect((await advance(api.url, { Origin: api.url })).status).toBe(303);
});

const FORMS: Readonly<Record<string, Record<string, string>>> = {
  "create-group": { name: "asia", location: "aws-ap-south-1" },
  "delete-group": { of: "default" },
  "create-database": { in: "default", name: "carts" },
  "delete-database": { of: "catalogue" },
  "set-plan": { plan: "starter" },
  "set-recovery": { restore_enabled: "false" },
  "create-token": { of: "catalogue", authorization: "full-access", expiration: "never" },
  "save-snapshot": { name: "seeded" },
  "load-snapshot": { of: "seeded" },
  "delete-snapshot": { of: "seeded" },
  sql: { of: "catalogue", statement: "create table t (x)", writes: "yes" },
};

test.each<Record<string, string>>([
  { Origin: "https://evil.example" },
  { Origin: "null" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
])("rejects every action with %o", async (headers) => {
  const { api, liveNames, groupNames } = await shop({ sql: true });
  const before = [await liveNames(), await groupNames()];
  const requests = api.journal().length;
  for (const [action, fields] of Object.entries(FORMS)) {
    const body = new URLSearchParams({ organization: "shop", ...fields });
    const answer = await fetch(`${api.url}/page/${action}`, { method: "POST", redirect: "manual", headers, body });
    expect([action, answer.status]).toEqual([action, 403]);
  }
  expect(
    api
      .journal()
      .slice(requests)
      .map(({ path }) => path),
  ).toEqual(Object.keys(FORMS).map((name) => `/page/${name}`));
  expect([await liveNames(), await groupNames()]).toEqual(before);
});

test("a page of another origin in the same browser cannot submit a form", async () => {
  const { api, groupNames } = await shop();
  const { page } = await visit();
  const form = `<form method="post" action="${api.url}/page/delete-group"><input name="organization" value="shop"><input name="of" value="default"><button>Win</button></form>`;
  const foreign = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end(form));
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void foreign.close());
  await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}`);
  await page.getByRole("button").click();
  await page.getByText("Pages of other origins cannot do this.").waitFor();
  expect(await groupNames()).toContain("default");
});

test.each(["/", "/_reference/journal"])(
  "rejects a request for %s whose Host header names another site (DNS rebinding)",
  async (path) => {
    const { api } = await shop();
    const status = await new Promise((resolve, reject) =>
      request(api.url + path, { headers: { Host: "rebound.example" } }, ({ statusCode }) => resolve(statusCode))
        .once("error", reject)
        .end(),
    );
    expect(status).toBe(403);
  },
);

test("requires the server's key on non-loopback addresses, and does not store the key in the browser", async () => {
  const { api } = await shop({ host: "0.0.0.0" });
  expect((await fetch(api.url)).status).toBe(401);
  expect((await advance(api.url)).status).toBe(401);
  expect((await fetch(`${api.url}/page/pulse`)).status).toBe(401);

  const { page } = await visit();
  await page.goto(api.url);
  await page.getByLabel("Reference-Key").fill("wrong");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The key is wrong.").waitFor();
  await page.getByLabel("Reference-Key").fill(api.key ?? "");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "shop" }).waitFor();

  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(cookie?.value).not.toContain(api.key ?? "");
});

test("signing in to a server does not sign out of another one on the same host", async () => {
  const servers = [await shop({ host: "0.0.0.0" }), await shop({ host: "0.0.0.0" })];
  const { page } = await visit();
  for (const { api } of servers) {
    await page.goto(api.url);
    await page.getByLabel("Reference-Key").fill(api.key ?? "");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "shop" }).waitFor();
  }
  for (const { api } of servers) expect((await page.goto(api.url))?.status()).toBe(200);
});

test("with `control: false`, serves the OpenAPI document but no page", async () => {
  const { api } = await shop({ control: false });
  expect((await fetch(api.url)).status).toBe(404);
  expect((await advance(api.url)).status).toBe(404);
  expect((await fetch(`${api.url}/openapi.json`)).status).toBe(200);
});

test("sends a content security policy that allows only the server's own files", async () => {
  const { api } = await shop();
  const policy = (await fetch(api.url)).headers.get("Content-Security-Policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self';/);
  expect(policy).not.toContain("unsafe");
});

test("rejects an unknown organization, malformed forms and forms that are too large", async () => {
  const { api } = await shop();
  expect((await fetch(`${api.url}/?organization=nobody`)).status).toBe(404);
  const send = (path: string, form: Record<string, string>) =>
    fetch(`${api.url}/page/${path}`, { method: "POST", redirect: "manual", body: new URLSearchParams(form) });
  expect((await send("restore-database", { organization: "shop", object: "nonsense" })).status).toBe(400);
  expect((await send("restore-group", { organization: "nobody", object: "x" })).status).toBe(404);
  expect((await send("clock", { advance: "1e99" })).status).toBe(400);
  expect((await send("clock", { advance: "nonsense" })).status).toBe(400);
  expect((await send("clock", { set: "nonsense" })).status).toBe(400);
  const nothing = { organization: "club", object: "0eb771dd-6906-41ee-8553-eaa7715aea01" };
  expect((await send("restore-database", nothing)).status).toBe(403);
  expect((await send("clock", { search: "x".repeat(100_000) })).status).toBe(413);
});
