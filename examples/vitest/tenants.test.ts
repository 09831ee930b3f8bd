import { join } from "node:path";
import { type ReferenceApi, startReferenceApi } from "pulumi-dbplatform/reference";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Tenants } from "./tenants.js";

const FIVE_DAYS = 5 * 86_400;

let platform: ReferenceApi;
let tenants: Tenants;

// All tests in this file share one server, which is reset to seed.yaml before each test.
beforeAll(async () => {
  platform = await startReferenceApi({ seed: join(import.meta.dirname, "seed.yaml"), now: "2026-03-01T12:00:00Z" });
  tenants = new Tenants(platform);
});
beforeEach(() => platform.reset());
afterAll(() => platform.close());

test("a tenant is added and removed", async () => {
  await tenants.add("hooli");
  await tenants.remove("globex");
  expect(await tenants.names()).toEqual(["hooli"]);
});

test("a tenant that was removed comes back within five days, and not later", async () => {
  await tenants.bringBack("initech");
  expect(await tenants.names()).toEqual(["globex", "initech"]);
  await tenants.remove("initech");
  await platform.advance(FIVE_DAYS + 1);
  await expect(tenants.bringBack("initech")).rejects.toThrow("initech cannot be brought back");
});

test("while the platform is busy, a tenant is added again until it works", async () => {
  platform.fault({ operation: "createDatabase", times: 2, status: 503, retryAfter: 0 });
  await tenants.add("hooli");
  expect(platform.journal().map(({ status }) => status)).toEqual([503, 503, 200]);
});

test("a tenant whose answer was lost is there once", async () => {
  platform.fault({ operation: "createDatabase", reset: "after" });
  await tenants.add("hooli");
  expect(await tenants.names()).toEqual(["globex", "hooli"]);
});

test("with a token that may only read, no tenant is added", async () => {
  const apiToken = await platform.token({ group: "tenants", scopes: ["read-only"] });
  const reading = new Tenants({ ...platform, apiToken });
  expect(await reading.names()).toEqual(["globex"]);
  await expect(reading.add("hooli")).rejects.toThrow("403");
});
