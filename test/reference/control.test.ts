// @module-tag secrets-stay-secret
// @module-tag the-reference-api

import { once } from "node:events";
import { request } from "node:http";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { KEY_HEADER } from "../../platform/reference/control/guard";
import { type Fault, MOST_RULES } from "../../platform/reference/faults/faults";
import { Journal } from "../../platform/reference/journal/journal";
import { KEY_UNUSABLE, refuse, UNRESTRICTED_WITH_GROUP } from "../../platform/reference/messages";
import { NOT_EMPTY_TEXT } from "../../platform/reference/requests/messages";
import type { Seed } from "../../platform/reference/seed/seed";
import { type ApiCaller, calling, raw } from "./calling";
import { NOON, world } from "./world";

const SEED: Seed = {
  users: [{ username: "ada" }, { username: "max" }],
  organizations: [
    {
      slug: "acme",
      members: [
        { username: "ada", role: "owner" },
        { username: "max", role: "member" },
      ],
      groups: [{ name: "default" }],
    },
  ],
};

const own = (url: string, path: string, method = "GET", body?: unknown) =>
  raw(`${url}/_reference/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });

test("reports its health to callers without a credential", async () => {
  const { api } = await world();
  const answer = await own(api.url, "health");
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
});

describe("the journal", () => {
  test("lists the caller and status of every platform request, and can be emptied", async () => {
    const { api, owner, slug, as } = await world();
    await own(api.url, "journal", "DELETE");
    const scoped = await as({ group: "default", name: "scoped" });
    await owner.ok("createDatabase", { ...slug, body: { name: "orders" } });
    await scoped.refused("retrieveOrganization", slug);
    await calling(api, "a.b.c").refused("listLocations", {});
    await raw(`${api.url}/v1/nothing`);

    const { entries } = await (await own(api.url, "journal")).json();

    const common = { time: NOON };
    expect(entries).toEqual([
      {
        ...common,
        operation: "createDatabase",
        method: "POST",
        path: "/v1/organizations/acme/databases",
        status: 200,
        caller: { user: "ada", token: { id: expect.any(String), name: expect.any(String) } },
      },
      {
        ...common,
        operation: "retrieveOrganization",
        method: "GET",
        path: "/v1/organizations/acme",
        status: 403,
        caller: { user: "ada", token: { id: expect.any(String), name: "scoped" }, group: "default" },
      },
      { ...common, operation: "listLocations", method: "GET", path: "/v1/locations", status: 401 },
      { ...common, method: "GET", path: "/v1/nothing", status: 404 },
    ]);
    await own(api.url, "journal", "DELETE");
    expect(api.journal()).toEqual([]);
  });

  test("never holds a credential, even one that is sent as a token's name or percent-encoded in a path", async () => {
    const { api, owner } = await world();
    const { token } = await owner.ok("createApiToken", { tokenName: "ci", body: { organization: "acme" } });
    await owner.refused("createApiToken", { tokenName: token, body: { organization: "acme" } });
    const [header = "", payload = "", signature = ""] = token.split(".");
    const dots = ["%2E", "%2e", "%252E", "%25252e"];
    for (const dot of dots)
      await raw(`${api.url}/v1/organizations/acme/databases/${[header, payload, signature].join(dot)}`);
    await raw(`${api.url}/v1/organizations/acme/databases/100%25`);
    const text = JSON.stringify(api.journal());
    expect(text).not.toContain(signature);
    expect(api.journal().map(({ path }) => path)).toContain("/v1/organizations/acme/databases/100%25");
  });

  test("keeps the last 10,000 requests", () => {
    const journal = new Journal();
    for (let status = 0; status <= 10_000; status += 1)
      journal.record({ time: NOON, method: "GET", path: "/", status, began: 0 });
    const kept = journal.entries().map(({ status }) => status);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, 1, 10_000]);
  });

  test("lists requests to unknown paths such as /_reference/nothing and /_referenced", async () => {
    const { api } = await world();
    const paths = ["/_reference", "/_reference/nothing", "/_referenced"];
    for (const path of paths) await raw(api.url + path);
    expect(api.journal().map(({ path }) => path)).toEqual(paths);
  });

  test("never holds a credential that a caller uses or sends as a database name or token id", async () => {
    const { api, owner, slug } = await world();
    const { token } = await owner.ok("createApiToken", { tokenName: "ci", body: { organization: "acme" } });
    await calling(api, token).ok("listDatabases", slug);
    await owner.refused("retrieveDatabase", { ...slug, databaseName: token });
    await owner.refused("revokeApiToken", { ...slug, tokenId: token });
    const text = JSON.stringify(api.journal());
    expect(text).not.toContain(token);
    expect(text).not.toContain(token.split(".")[2]);
    expect(text).not.toContain(api.apiToken);
  });
});

test("omits the body of a fault rule from the journal, because the body may contain a credential", async () => {
  const { api, owner } = await world();
  api.fault({ operation: "listLocations", status: 503, body: { jwt: api.apiToken } });
  await raw(`${api.url}/v1/locations`, { credential: api.apiToken });
  expect(api.journal().at(-1)?.fault).toEqual({ id: "1", operation: "listLocations", status: 503 });
  api.fault({ operation: "listLocations", status: 503, body: "html" });
  await owner.status("listLocations", {}).catch(() => undefined);
  expect(api.journal().at(-1)?.fault).toMatchObject({ body: "html" });
});

describe("the clock", () => {
  test("can be frozen, advanced and restarted", async () => {
    const { api } = await world();
    const time = async (answer: Promise<Response>) => (await answer).json();
    expect(await time(own(api.url, "clock"))).toEqual({ now: NOON, stands: true });
    expect(await time(own(api.url, "clock/advance", "POST", { seconds: 90 }))).toEqual({
      now: "2026-03-01T12:01:30.000Z",
      stands: true,
    });
    expect(await time(own(api.url, "clock", "PUT", { now: "2027-01-01T01:00:00+01:00" }))).toEqual({
      now: "2027-01-01T00:00:00.000Z",
      stands: true,
    });
    const before = Date.now();
    const running = await time(own(api.url, "clock", "PUT", { now: null }));
    expect(running.stands).toBe(false);
    expect(Date.parse(running.now)).toBeGreaterThanOrEqual(before);
    const ahead = await time(own(api.url, "clock/advance", "POST", { seconds: 3600 }));
    expect(ahead.stands).toBe(false);
    expect(Date.parse(ahead.now)).toBeGreaterThanOrEqual(before + 3600_000);
  });

  test.each([
    ["PUT", "clock", { now: "tomorrow" }],
    ["PUT", "clock", {}],
    ["PUT", "clock", { now: "9999-12-31T23:59:59-10:00" }],
    ["PUT", "clock", { now: "0000-12-31T23:59:59Z" }],
    ["POST", "clock/advance", { seconds: 1e15 }],
    ["POST", "clock/advance", { seconds: -1e12 }],
    ["POST", "clock/advance", { seconds: 1e308 }],
    ["POST", "clock/advance", { seconds: "1" }],
    ["POST", "faults", { operation: "nothing" }],
    ["POST", "faults", { operation: "*", status: 200 }],
    ["POST", "faults", { operation: "*", statsu: 500 }],
    ["POST", "faults", { operation: "*" }],
    ["POST", "faults", { operation: "*", latency: 2 ** 31 }],
    ["POST", "faults", { operation: "*", hang: true, status: 500 }],
    ["POST", "faults", { operation: "*", hang: true, body: "html" }],
    ["POST", "faults", { operation: "*", hang: true, reset: "before" }],
    ["POST", "faults", { operation: "*", reset: "after", status: 500 }],
    ["POST", "faults", { operation: "*", reset: "before", body: {} }],
    ["POST", "faults", { operation: "*", stale: true, status: 500 }],
    ["POST", "faults", { operation: "*", stale: true, hang: true }],
    ["POST", "faults", { operation: "createDatabase", stale: true }],
    ["POST", "faults", { operation: "*", omit: ["Name"], status: 500 }],
    ["POST", "faults", { operation: "*", omit: ["Name"], hang: true }],
    ["POST", "faults", { operation: "sql", omit: ["rows"] }],
    ["POST", "faults", { operation: "*", omit: [] }],
    ["POST", "faults", { operation: "*", retryAfter: 1 }],
    ["POST", "faults", { operation: "*", retryAfter: 1, body: "html" }],
    ["POST", "faults", { operation: "*", status: 500, seed: 1 }],
    ["POST", "faults", { operation: "*", status: 500, probability: 1.1 }],
    ["POST", "faults", { operation: "*", status: 500, times: 0 }],
    ["POST", "faults", undefined],
    ["POST", "tokens", { user: "nobody" }],
    ["POST", "tokens", { user: "ada", role: "viewer" }],
    ["POST", "tokens", { group: "nowhere" }],
    ["POST", "tokens", { group: "default", scopes: ["db:all"] }],
    ["POST", "tokens", { scopes: ["read"] }],
  ])("is not changed by the invalid request %s %s %j", async (method, path, body) => {
    const { api, owner } = await world();
    const answer = await own(api.url, path, method, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    expect((await api.clock.now()).toISOString()).toBe(NOON);
    await owner.ok("listLocations", {});
  });
});

test("returns the clock's time in every response, even if a fault replaces the response", async () => {
  const { api } = await world();
  const locations = () => raw(`${api.url}/v1/locations`, { credential: api.apiToken });
  const date = "Sun, 01 Mar 2026 12:00:00 GMT";
  expect((await locations()).headers.get("date")).toBe(date);
  expect((await raw(`${api.url}/v1/locations`)).headers.get("date")).toBe(date);
  api.fault({ operation: "listLocations", body: "html" });
  expect((await locations()).headers.get("date")).toBe(date);
});

test("freezes a running clock at its current time, and restarts the clock from that time", async () => {
  const { api } = await world();
  const post = async (path: string) => (await own(api.url, path, "POST")).json();
  const going = await post("clock/run");
  expect(going.stands).toBe(false);
  expect(Date.parse(going.now) - Date.parse(NOON)).toBeLessThan(60_000);
  const frozen = await post("clock/freeze");
  expect(frozen.stands).toBe(true);
  expect(await (await own(api.url, "clock")).json()).toEqual(frozen);
  await api.clock.set(null);
  await api.clock.run();
  expect(Math.abs((await api.clock.now()).getTime() - Date.now())).toBeLessThan(60_000);
});

test("returns 400 for moving a running clock outside the years 1 to 9999, and keeps it running", async () => {
  const { api, owner } = await world();
  await own(api.url, "clock", "PUT", { now: null });
  for (const seconds of [1e15, -1e12]) {
    const answer = await own(api.url, "clock/advance", "POST", { seconds });
    expect([answer.status, (await answer.json()).error]).toEqual([400, expect.stringContaining("9999")]);
  }
  await owner.ok("listLocations", {});
  const { now } = await (await own(api.url, "clock")).json();
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
});

describe("a browser page", () => {
  const from = async (origin: (url: string) => string, method: string, path: string) => {
    const { api } = await world();
    const { url } = api;
    const headers = { Origin: origin(url) };
    return (await raw(`${url}/_reference/${path}`, { method, headers })).status;
  };

  test.each([
    ["POST", "clock/advance"],
    ["PUT", "clock"],
    ["POST", "faults"],
    ["DELETE", "journal"],
    ["DELETE", "faults"],
    ["DELETE", "faults/1"],
    ["POST", "clock/freeze"],
    ["POST", "clock/run"],
    ["POST", "reset"],
    ["POST", "tokens"],
  ])("gets 403 for %s %s if it comes from another origin", async (method, path) => {
    expect(await from(() => "https://example.com", method, path)).toBe(403);
    expect(await from(() => "null", method, path)).toBe(403);
  });

  test("can empty the journal if it comes from the reference API's own origin", async () => {
    expect(await from((url) => url, "DELETE", "journal")).toBe(200);
  });
});

test("refuses another fault rule once there are 1,000, until one is removed or used up", async () => {
  const { api, owner, slug } = await world();
  const rule = { operation: "listGroups", status: 503 } as const;
  for (let count = 0; count < MOST_RULES; count++) api.fault(rule);
  const refused = await own(api.url, "faults", "POST", rule);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: refuse.tooManyFaults({ bound: MOST_RULES }).message },
  ]);
  expect(await owner.status("listGroups", slug)).toBe(503);
  expect((await own(api.url, "faults", "POST", rule)).status).toBe(200);
  api.clearFaults();
  expect(await owner.status("listGroups", slug)).toBe(200);
});

describe("faults", () => {
  const create = { organizationSlug: "acme", body: { name: "orders", group: "default" } };

  test("replace the result with an error status for as many calls as the rule allows", async () => {
    const { api, owner, liveNames } = await world();
    await own(api.url, "faults", "POST", {
      operation: "createDatabase",
      times: 2,
      status: 503,
      body: { error: "busy" },
    });
    await owner.ok("listLocations", {});
    expect(await owner.refused("createDatabase", create)).toEqual({ status: 503, error: "busy" });
    expect(await owner.status("createDatabase", create)).toBe(503);
    expect(await liveNames()).toEqual([]);
    await owner.ok("createDatabase", create);
  });

  test.each<Omit<Fault, "operation">>([
    { status: 429 },
    { status: 503 },
    { status: 404 },
    { status: 500, body: "html" },
    { status: 503, body: "truncated" },
    { status: 503, body: { error: "busy" } },
  ])("send a Retry-After header for the rule %o", async (fault) => {
    const { api } = await world();
    api.fault({ operation: "*", retryAfter: 7, ...fault });
    const answer = await raw(`${api.url}/v1/locations`, { credential: api.apiToken });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([fault.status, "7"]);
  });

  test("follow the first matching rule until its calls are used up, and then the next rule", async () => {
    const { api, owner } = await world();
    api.fault({ operation: "createDatabase", status: 500 });
    api.fault({ operation: "*", status: 501 });
    api.fault({ operation: "listLocations", status: 502 });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push(await owner.status("listLocations", {}));
    expect([...statuses, await owner.status("createDatabase", create)]).toEqual([501, 502, 200, 500]);
  });

  test("do not truncate responses to HEAD, because these responses have no body", async () => {
    const { api, owner } = await world();
    api.fault({ operation: "listLocations", body: "truncated" });
    const answer = await raw(`${api.url}/v1/locations`, { method: "HEAD", credential: api.apiToken });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    await owner.ok("listLocations", {});
  });

  test("are not used up by a request that is aborted before its body is complete", async () => {
    const { api, owner } = await world();
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    api.fault({ operation: "createDatabase", status: 503 });
    const upload = request(`${api.url}/v1/organizations/acme/databases`, {
      method: "POST",
      headers: { "Content-Length": 100, Authorization: `Bearer ${api.apiToken}`, Expect: "100-continue" },
    });
    upload.on("error", () => undefined).write("{");
    await once(upload, "continue");
    upload.destroy();
    for (let turn = 0; turn < 3; turn += 1) await own(api.url, "health");
    expect(await owner.status("createDatabase", create)).toBe(503);
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });

  test.each([
    ["before", []],
    ["after", ["orders"]],
  ] as const)(
    "reset the connection %s the operation is performed, so that the caller gets no response",
    async (reset, names) => {
      const { api, owner, liveNames } = await world();
      api.fault({ operation: "createDatabase", reset });
      await expect(owner.status("createDatabase", create)).rejects.toThrow("fetch failed");
      expect(await liveNames()).toEqual(names);
      expect(api.journal()[0]).toMatchObject({ operation: "createDatabase", status: 0, caller: { user: "ada" } });
    },
  );

  test("can return an HTML page, and prevent the operation only if their rule sets a status", async () => {
    const { api, liveNames } = await world();
    const post = () =>
      raw(`${api.url}/v1/organizations/acme/databases`, {
        method: "POST",
        credential: api.apiToken,
        body: JSON.stringify(create.body),
      });
    api.fault({ operation: "createDatabase", body: "html", status: 502 });
    const refused = await post();
    expect([refused.status, refused.headers.get("content-type")]).toEqual([502, expect.stringContaining("text/html")]);
    expect(await liveNames()).toEqual([]);
    api.fault({ operation: "createDatabase", body: "html" });
    const done = await post();
    expect([done.status, (await done.text()).startsWith("<!doctype html>")]).toEqual([200, true]);
    expect(await liveNames()).toEqual(["orders"]);
  });

  test("truncate the response body, but let the operation take effect", async () => {
    const { api, owner, liveNames } = await world();
    api.fault({ operation: "createDatabase", body: "truncated" });
    await expect(owner.status("createDatabase", create)).rejects.toThrow("terminated");
    expect(await liveNames()).toEqual(["orders"]);
  });

  test("with `body: truncated` send only the first half of the response body", async () => {
    const { api } = await world();
    const whole = await (await raw(`${api.url}/v1/locations`, { credential: api.apiToken })).text();
    api.fault({ operation: "listLocations", body: "truncated" });
    const answer = await raw(`${api.url}/v1/locations`, { credential: api.apiToken });
    expect(answer.headers.get("content-length")).toBe(String(whole.length));
    expect(await arrivedOf(answer)).toBe(whole.slice(0, whole.length / 2));
  });

  test.each([
    { hang: true, made: [] },
    { hang: "after", made: ["orders", "second"] },
  ] as const)("with `hang: $hang` keep a request open until the server stops", async (rule) => {
    const { api, owner, slug, liveNames } = await world();
    api.fault({ operation: "createDatabase", hang: rule.hang, times: 2 });
    const patience = new AbortController();
    const impatient = fetch(`${api.url}/v1/organizations/acme/databases`, {
      method: "POST",
      headers: { Authorization: `Bearer ${api.apiToken}` },
      body: JSON.stringify(create.body),
      signal: patience.signal,
    });
    const waiting = owner.status("createDatabase", { ...slug, body: { name: "second" } });
    const ended = Promise.all([expect(impatient).rejects.toThrow(), expect(waiting).rejects.toThrow("fetch failed")]);
    while (api.journal().length < 2) await own(api.url, "health");
    patience.abort();
    expect(await liveNames()).toEqual(rule.made);
    await api.close();
    await ended;
  });

  test("delay a response by the rule's latency, and change nothing else", async () => {
    const { api, owner, liveNames } = await world();
    api.fault({ operation: "createDatabase", latency: 50 });
    const before = performance.now();
    await owner.ok("createDatabase", create);
    expect(performance.now() - before).toBeGreaterThan(45);
    expect(await liveNames()).toEqual(["orders"]);
  });

  test("with `omit` leave these fields out of the response", async () => {
    const { api, owner, slug, database } = await world();
    await database("orders");
    api.fault({ operation: "listDatabases", omit: ["block_reads", "group_id"] });
    const [listed] = (await owner.ok("listDatabases", slug)).databases;
    const [again] = (await owner.ok("listDatabases", slug)).databases;
    const { block_reads: _, group_id: __, ...others } = again ?? {};
    expect(listed).toEqual(others);
    expect(again).toMatchObject({ block_reads: false, group_id: expect.any(String) });
  });

  test("with `stale: true` return data as of the rule's creation, while writes still take effect", async () => {
    const { api, owner, slug, id, database, liveNames, deletedNames } = await world();
    const databaseId = await database("orders");
    const rule = api.fault({ operation: "*", stale: true, times: 100 });
    await database("sales");
    await owner.ok("deleteDatabaseById", { ...id, databaseId });
    expect(await liveNames()).toEqual(["orders"]);
    expect(await deletedNames()).toEqual([]);
    await owner.refused("retrieveDatabase", { ...slug, databaseName: "sales" });
    expect((await owner.ok("retrieveDatabaseById", { ...id, databaseId })).database.Name).toBe("orders");
    api.removeFault(rule);
    expect(await liveNames()).toEqual(["sales"]);
    expect(await deletedNames()).toEqual(["orders"]);
  });

  test("are rejected with 413 if their rule is too long", async () => {
    const { api } = await world();
    const rule = { operation: "*", status: 500, body: { error: "x".repeat(2 ** 20) } };
    expect((await own(api.url, "faults", "POST", rule)).status).toBe(413);
    expect(api.faults()).toEqual([]);
  });

  test("are listed with their use counts, and can be removed one by one or all at once", async () => {
    const { api, owner } = await world();
    const add = async (rule: Fault) => (await own(api.url, "faults", "POST", rule)).json();
    const listed = async () => (await (await own(api.url, "faults")).json()).faults;
    const busy: Fault = { operation: "listLocations", times: 2, status: 503 };
    const { id } = await add(busy);
    const other = await add({ operation: "*", latency: 1 });
    expect(await owner.status("listLocations", {})).toBe(503);
    expect(await listed()).toEqual([
      { id, ...busy, fired: 1 },
      { id: other.id, operation: "*", latency: 1, fired: 0 },
    ]);
    expect(api.faults()).toEqual(await listed());
    expect((await own(api.url, `faults/${id}`, "DELETE")).status).toBe(200);
    expect((await own(api.url, `faults/${id}`, "DELETE")).status).toBe(404);
    expect((await listed()).map((rule: { id: string }) => rule.id)).toEqual([other.id]);
    await add(busy);
    await own(api.url, "faults", "DELETE");
    expect(await listed()).toEqual([]);
    await owner.ok("listLocations", {});
  });

  test("are recorded in the journal only for the calls that they affect", async () => {
    const { api, owner } = await world();
    const id = api.fault({ operation: "listLocations", status: 503 });
    await owner.status("listLocations", {});
    await owner.status("listLocations", {});
    const [fallen, other] = api.journal();
    expect(fallen?.fault).toEqual({ id, operation: "listLocations", status: 503 });
    expect(other).not.toHaveProperty("fault");
  });

  test("occur with the rule's probability, and affect the same calls for the same seed", async () => {
    const hits = async (seed: number) => {
      const { api, owner } = await world();
      api.fault({ operation: "listLocations", probability: 0.3, seed, status: 503 });
      const statuses = [];
      for (let call = 0; call < 100; call += 1) statuses.push(await owner.status("listLocations", {}));
      expect(api.faults()[0]?.fired).toBe(statuses.filter((status) => status === 503).length);
      return statuses;
    };
    const [first, again, other] = [await hits(7), await hits(7), await hits(8)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(first.filter((status) => status === 503).length).toBeGreaterThan(15);
    expect(first.filter((status) => status === 503).length).toBeLessThan(45);
  });

  test("follow the next matching rule if the first one skips the call because of its probability", async () => {
    const { api, owner } = await world();
    api.fault({ operation: "*", probability: 1e-9, status: 500 });
    api.fault({ operation: "*", status: 501 });
    expect(await owner.status("listLocations", {})).toBe(501);
  });

  test("with both `times` and `probability` affect at most `times` calls in total", async () => {
    const { api, owner } = await world();
    api.fault({ operation: "*", probability: 0.5, times: 2, status: 503 });
    const statuses = [];
    for (let call = 0; call < 40; call += 1) statuses.push(await owner.status("listLocations", {}));
    expect(statuses.filter((status) => status === 503)).toHaveLength(2);
    expect(api.faults()).toEqual([]);
  });
});

/** Returns the part of a response body that arrives before the connection breaks. */
async function arrivedOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  const reader = answer.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) chunks.push(part.value);
  } catch {
    return Buffer.concat(chunks).toString();
  }
  throw new Error("the body did not break off");
}

test("returns 500 as JSON when the reference API itself fails", async () => {
  const { api } = await world();
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await api.store.transaction([], (state) => sql`alter table settings rename to lost`.execute(state));
  for (const path of ["/v1/locations", "/_reference/clock"]) {
    const answer = await raw(api.url + path, { credential: api.apiToken });
    expect([answer.status, await answer.json()]).toEqual([500, { error: "internal error" }]);
  }
  const changes = [
    ["/_reference/clock/advance", JSON.stringify({ seconds: 1 })],
    ["/page/clock", "advance=1"],
  ] as const;
  for (const [path, body] of changes) {
    const answer = await raw(api.url + path, { method: "POST", body });
    expect([answer.status, await answer.json()]).toEqual([500, { error: "internal error" }]);
  }
  expect(said).toHaveBeenCalled();
  said.mockRestore();
});

describe("minting a token without a credential", () => {
  const minted = async (wanted?: object) => {
    const { api } = await world({ seed: SEED });
    const answer = await own(api.url, "tokens", "POST", wanted);
    expect(answer.status).toBe(200);
    const caller = calling(api, (await answer.json()).token);
    return { caller, api, role: async (name: string) => roleOf(calling(api), name) };
  };
  const slug = { organizationSlug: "acme" };
  const roleOf = async (caller: ApiCaller, username: string) =>
    (await caller.ok("retrieveMember", { ...slug, username })).member.role;

  test("returns a token of the organization's first owner by default", async () => {
    const { caller } = await minted();
    expect((await caller.ok("retrieveUser", {})).user.username).toBe("ada");
  });

  test("returns a token of a user with the requested role", async () => {
    const { caller } = await minted({ role: "member" });
    expect((await caller.ok("retrieveUser", {})).user.username).toBe("max");
  });

  test.each(["\0", "\ud800"])("rejects strings that some storage engines cannot store: %j", async (text) => {
    const { api } = await world();
    for (const name of ["user", "organization", "group"]) {
      const answer = await own(api.url, "tokens", "POST", { [name]: text });
      expect([answer.status, (await answer.json()).error]).toEqual([400, expect.stringContaining("U+0000")]);
    }
  });

  test("adds a member when nobody has the requested role", async () => {
    const { caller, role } = await minted({ role: "viewer" });
    expect((await caller.ok("retrieveUser", {})).user.username).toBe("viewer");
    expect(await role("viewer")).toBe("viewer");
    expect(await caller.status("createDatabase", { ...slug, body: { name: "orders" } })).toBe(403);
  });

  test.each([
    [{ organization: null, group: "default" }, UNRESTRICTED_WITH_GROUP],
    [{ organization: "" }, `organization must be ${NOT_EMPTY_TEXT}`],
  ])("rejects %j", async (wanted, message) => {
    const { api } = await world();
    const answer = await own(api.url, "tokens", "POST", wanted);
    expect([answer.status, (await answer.json()).error]).toEqual([400, expect.stringContaining(message)]);
  });

  test("accepts a user, a group and scopes", async () => {
    const { caller, api } = await minted({ user: "max", group: "default", scopes: ["read-only"], name: "ci" });
    await caller.ok("listDatabases", slug);
    expect(await caller.status("createDatabase", { ...slug, body: { name: "orders", group: "default" } })).toBe(403);
    expect(api.journal().at(-1)?.caller).toMatchObject({ user: "max", group: "default", token: { name: "ci" } });
  });
});

test("api.fault and api.token reject invalid arguments, and name the invalid property", async () => {
  const { api } = await world();
  expect(() => api.fault({ operation: "*", status: 200 })).toThrow(/^status must be at least 400, but is 200$/);
  await expect(api.token({ group: "default", scopes: ["db:all"] })).rejects.toThrow(
    /^scopes\[0\]: "db:all" is not a valid scope/,
  );
  expect(api.faults()).toEqual([]);
});

test("without `control`, answers requests under /_reference/ with 404, except for its health, but records them in the journal", async () => {
  const { api, owner } = await world({ control: false });
  expect((await own(api.url, "health")).status).toBe(200);
  for (const path of ["journal", "clock"]) {
    const answer = await own(api.url, path);
    expect([answer.status, await answer.text()]).toEqual([404, "404 page not found"]);
  }
  expect((await own(api.url, "reset", "POST")).status).toBe(404);
  await owner.ok("listLocations", {});
  expect(api.journal().map(({ path }) => path)).toContain("/_reference/clock");
});

test("requires the Reference-Key on non-loopback addresses, but only for the reference API's own routes", async () => {
  const { api, owner } = await world({ host: "0.0.0.0" });
  await owner.ok("listLocations", {});
  expect((await own(api.url, "journal")).status).toBe(401);
  expect((await raw(`${api.url}/_reference/journal`, { headers: { [KEY_HEADER]: "guess" } })).status).toBe(401);
  const answer = await raw(`${api.url}/_reference/journal`, { headers: { [KEY_HEADER]: api.key ?? "" } });
  expect(answer.status).toBe(200);
});

test("reports its health under any name, without a key and without `control`", async () => {
  for (const options of [{}, { host: "0.0.0.0" }, { control: false }]) {
    const { api } = await world(options);
    const statusAs = (name: string, path: string) =>
      new Promise((resolve) => {
        const headers = { Host: name };
        request(`${api.url}/_reference/${path}`, { headers }, ({ statusCode }) => resolve(statusCode)).end();
      });
    expect(await statusAs("10.1.2.3:8080", "health")).toBe(200);
    expect(await statusAs("10.1.2.3:8080", "clock")).toBeGreaterThanOrEqual(401);
  }
});

test("requires the key of the options, also on loopback, and names it in no answer", async () => {
  const key = "a key of sixteen".replaceAll(" ", "-");
  const { api } = await world({ key });
  expect(api.key).toBe(key);
  const answer = await own(api.url, "journal");
  expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining(key)]);
  expect((await raw(`${api.url}/_reference/journal`, { headers: { [KEY_HEADER]: key } })).status).toBe(200);
});

test.each(["", "fifteen-letters", "a key with spaces", "ein-schlüssel-mit-ü"])("rejects the key %j", async (key) => {
  await expect(world({ key })).rejects.toThrow(KEY_UNUSABLE);
});
