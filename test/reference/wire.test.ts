import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { world } from "./world";

const DATABASES = "/v1/organizations/acme/databases";

async function post(body: string | undefined, headers: Record<string, string> = {}, path = DATABASES) {
  const { api, liveNames } = await world();
  const answer = await raw(api.url + path, { method: "POST", credential: api.apiToken, headers, body });
  return { answer, liveNames };
}

describe("request bodies", () => {
  test.each(["application/json", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"])(
    "wire-facts 0 are read as JSON if the Content-Type is %s",
    async (type) => {
      const { answer, liveNames } = await post('{"name":"a"}', { "Content-Type": type });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await liveNames()).toEqual(["a"]);
    },
  );

  test("wire-facts 13.3 may contain unknown keys, and keys in any letter case", async () => {
    const body = { Name: "a", GROUP: "default", location: "", image: "latest", Version: "latest", permissions: {} };
    const { answer, liveNames } = await post(JSON.stringify(body));
    expect(answer.status).toBe(200);
    expect(await liveNames()).toEqual(["a"]);
  });

  test.each(["{", "name=a", "[]", '"a"', "{}", '{"name":1}'])(
    "§4 are rejected with 400 if they are invalid: `%s`",
    async (body) => {
      const { answer, liveNames } = await post(body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: expect.any(String) });
      expect(await liveNames()).toEqual([]);
    },
  );

  test.each([
    ["omitted", undefined],
    ["empty", ""],
    ["blank", "  "],
    ["null", "null"],
  ])("wire-facts 0 can be %s if they are optional", async (_what, body) => {
    const { api, owner, slug, id, database } = await world();
    const databaseId = await database("a");
    await owner.ok("deleteDatabase", { ...slug, databaseName: "a" });
    const path = `/v3/organizations/${id.organizationId}/databases/${databaseId}/restore`;
    const headers = { "Content-Type": "application/json" };
    const answer = await raw(api.url + path, { method: "POST", credential: api.apiToken, headers, body });
    expect(answer.status).toBe(200);
  });
});

test.each([
  ["a response", {}],
  ["an error", { status: 503 }],
  ["an HTML page", { body: "html" as const }],
])("§8 %s has a `Date` header from the platform's clock", async (_, fault) => {
  const { api } = await world();
  await api.clock.set("2031-05-06T12:00:00.900Z");
  if (Object.keys(fault).length > 0) api.fault({ operation: "listDatabases", ...fault });
  const answer = await raw(api.url + DATABASES, { credential: api.apiToken });
  expect(answer.headers.get("date")).toBe("Tue, 06 May 2031 12:00:00 GMT");
});

test.each(["{", '{"name":1}', "nonsense"])("wire-facts 0 ignores the body `%s` of a DELETE request", async (body) => {
  const { api, database, liveNames } = await world();
  await database("a");
  const answer = await raw(`${api.url}${DATABASES}/a`, { method: "DELETE", credential: api.apiToken, body });
  expect(answer.status).toBe(200);
  expect(await liveNames()).toEqual([]);
});

describe("a request", () => {
  test.each([
    ["GET", "/nothing"],
    ["GET", "/v1/nothing"],
    ["PATCH", "/v1/organizations/acme/groups/default"],
    ["DELETE", DATABASES],
  ])("wire-facts 0 gets a plain-text 404 if its path matches no operation: %s %s", async (method, path) => {
    const { api } = await world();
    const answer = await raw(api.url + path, { method, credential: api.apiToken });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).not.toContain("json");
    await expect(answer.json()).rejects.toThrow();
  });

  test("wire-facts 4.1 gets 400 for the v3 database list unless `deleted` is `true`", async () => {
    const { api } = await world();
    const path = `/v3/organizations/${api.organizationId}/databases`;
    for (const query of ["?deleted", "?deleted=false"])
      expect((await raw(api.url + path + query, { credential: api.apiToken })).status).toBe(400);
  });

  test("§7 gets 401 without a credential, whatever else is wrong", async () => {
    const { api } = await world();
    const answer = await raw(api.url + DATABASES, { method: "POST", body: "{" });
    expect(answer.status).toBe(401);
  });
});

describe("a misplaced token", () => {
  test.each([
    ["a path", "GET", (token: string) => `${DATABASES}/${token}`, undefined],
    ["the name of a token", "POST", (token: string) => `/v1/auth/api-tokens/${token}`, undefined],
    ["a parameter", "GET", (token: string) => `${DATABASES}?group=${token}`, undefined],
    ["a body", "POST", () => "/v1/organizations", (token: string) => ({ name: "a", stripe_id: `x ${token}` })],
  ])(
    "§2.4 is rejected with 400 if it is in %s, and is neither stored nor echoed",
    async (_where, method, path, body) => {
      const { api } = await world();
      const token = await api.token({ organization: null });
      const sent = body && JSON.stringify(body(token));
      const answer = await raw(api.url + path(token), { method, credential: token, body: sent });
      expect(answer.status).toBe(400);
      expect((await answer.text()) + JSON.stringify(api.journal())).not.toContain(token.split(".")[2]);
    },
  );

  test("§2.4 is searched for in less than a second, even in a very long path", async () => {
    const { api } = await world();
    const took = async (path: string) => {
      const began = performance.now();
      await raw(api.url + path, { credential: api.apiToken });
      return performance.now() - began;
    };
    for (const long of ["a".repeat(15_000), `%${"25".repeat(7_500)}`])
      expect(await took(`${DATABASES}/${long}`)).toBeLessThan(1_000);
  });
});
