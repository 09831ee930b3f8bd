import { describe, expect, test } from "vitest";
import { KEY_HEADER } from "../../platform/reference/control/control";
import { calling, raw } from "./calling";
import { NOON, world } from "./world";

const own = (url: string, path: string, method = "GET", body?: unknown) =>
  raw(`${url}/_reference/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });

test("health answers without a credential", async () => {
  const { api } = await world();
  const answer = await own(api.url, "health");
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
});

describe("the journal", () => {
  test("has every platform request with its caller and how it was answered, and can be emptied", async () => {
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

  test("never holds a credential, not even one that was put where a name belongs", async () => {
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

describe("the clock", () => {
  test("stands still at an instant, is moved, and runs again", async () => {
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
    ["POST", "clock/advance", { seconds: "1" }],
    ["POST", "faults", { operation: "nothing" }],
    ["POST", "faults", { operation: "*", status: 200 }],
    ["POST", "faults", { operation: "*", statsu: 500 }],
  ])("%s %s %o is an invalid request and changes nothing", async (method, path, body) => {
    const { api, owner } = await world();
    const answer = await own(api.url, path, method, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    expect((await api.clock.now()).toISOString()).toBe(NOON);
    await owner.ok("listLocations", {});
  });
});

describe("faults", () => {
  const create = { organizationSlug: "acme", body: { name: "orders", group: "default" } };

  test("a status is answered instead of doing the work, as often as the rule says", async () => {
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

  test("Retry-After goes with the status", async () => {
    const { api } = await world();
    api.fault({ operation: "*", status: 429, retryAfter: 7 });
    const answer = await raw(`${api.url}/v1/locations`, { credential: api.apiToken });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
  });

  test.each([
    ["before", []],
    ["after", ["orders"]],
  ] as const)("a reset %s the work leaves the caller without an answer", async (reset, names) => {
    const { api, owner, liveNames } = await world();
    api.fault({ operation: "createDatabase", reset });
    await expect(owner.status("createDatabase", create)).rejects.toThrow("fetch failed");
    expect(await liveNames()).toEqual(names);
    expect(api.journal()[0]).toMatchObject({ operation: "createDatabase", status: 0, caller: { user: "ada" } });
  });

  test("a page of HTML comes after the work, or with a status instead of it", async () => {
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

  test("a truncated body ends in the middle, after the work", async () => {
    const { api, owner, liveNames } = await world();
    api.fault({ operation: "createDatabase", body: "truncated" });
    await expect(owner.status("createDatabase", create)).rejects.toThrow("terminated");
    expect(await liveNames()).toEqual(["orders"]);
  });

  test("a hanging call does nothing while the caller waits, and the end of the server ends it", async () => {
    const { api, owner, slug, liveNames } = await world();
    api.fault({ operation: "createDatabase", hang: true, times: 2 });
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
    expect(await liveNames()).toEqual([]);
    await api.close();
    await ended;
  });

  test("latency delays the answer and changes nothing else", async () => {
    const { api, owner, liveNames } = await world();
    api.fault({ operation: "createDatabase", latency: 50 });
    const before = performance.now();
    await owner.ok("createDatabase", create);
    expect(performance.now() - before).toBeGreaterThan(45);
    expect(await liveNames()).toEqual(["orders"]);
  });

  test("are forgotten when they are deleted", async () => {
    const { api, owner } = await world();
    api.fault({ operation: "*", times: 100, status: 500 });
    await own(api.url, "faults", "DELETE");
    await owner.ok("listLocations", {});
  });
});

test("off loopback the reference API's own routes ask for the key, the platform's do not", async () => {
  const { api, owner } = await world({ host: "0.0.0.0" });
  await owner.ok("listLocations", {});
  expect((await own(api.url, "journal")).status).toBe(401);
  expect((await raw(`${api.url}/_reference/journal`, { headers: { [KEY_HEADER]: "guess" } })).status).toBe(401);
  const answer = await raw(`${api.url}/_reference/journal`, { headers: { [KEY_HEADER]: api.key ?? "" } });
  expect(answer.status).toBe(200);
});
