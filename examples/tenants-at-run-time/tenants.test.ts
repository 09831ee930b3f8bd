import { type ReferenceApi, startReferenceApi } from "pulumi-dbplatform/reference";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { DeletedError, nameOf, Tenants } from "./tenants.ts";

const MINUTE = 60;
const FIVE_DAYS = 5 * 86_400;

let platform: ReferenceApi;
let apiToken: string;
let tenants: Tenants;

beforeAll(async () => {
  platform = await startReferenceApi({ sql: true });
});
beforeEach(async () => {
  await platform.reset();
  apiToken = await platform.token({ group: "default", scopes: ["read", "db:create", "db:mint-token"] });
  tenants = fresh();
});
afterEach(() => vi.useRealTimers());
afterAll(() => platform.close());

/** Returns what another process of the service would have, whose memory is empty. */
const fresh = (): Tenants => new Tenants({ ...platform, apiToken, group: "default", address: platform.sql });

const add = (tenant: string, text: string, from = tenants) =>
  from.use(tenant, (database) => database.execute({ sql: "INSERT INTO notes (text) VALUES (?)", args: [text] }));
const notes = (tenant: string, from = tenants) =>
  from.use(tenant, async (database) =>
    (await database.execute("SELECT text FROM notes ORDER BY text")).rows.map(({ text }) => text),
  );

const send = (method: string, path: string) =>
  fetch(platform.url + path, { method, headers: { Authorization: `Bearer ${platform.apiToken}` } });
const all = () => `/v3/organizations/${platform.organizationId}/databases`;
async function databases(query = ""): Promise<{ Name: string; DbId: string }[]> {
  return (await (await send("GET", `${all()}${query}`)).json()).databases;
}
async function remove(tenant: string): Promise<string> {
  const id = (await databases()).find(({ Name }) => Name === nameOf(tenant))?.DbId ?? "";
  await send("DELETE", `${all()}/${id}`);
  return id;
}

test("a database is created at the first request, and found at the next one", async () => {
  await add("globex", "tea");
  expect(await notes("globex")).toEqual(["tea"]);
  expect(await notes("globex", fresh())).toEqual(["tea"]);
  expect(await databases()).toHaveLength(1);
});

test("ten processes at once share one database, and apply each migration once", async () => {
  const ten = Array.from({ length: 10 }, fresh);
  await Promise.all(ten.map((each, index) => add("globex", String(index), each)));
  expect(await notes("globex")).toEqual([..."0123456789"]);
  expect(await databases()).toHaveLength(1);
});

test("a creation whose response is lost is not repeated", async () => {
  platform.fault({ operation: "createDatabase", reset: "after" });
  expect(await notes("globex")).toEqual([]);
  expect(await databases()).toHaveLength(1);
});

test("a busy platform is asked again when it says so", async () => {
  platform.fault({ operation: "retrieveDatabase", status: 429, retryAfter: 1 });
  const begin = performance.now();
  expect(await notes("globex")).toEqual([]);
  expect(performance.now() - begin).toBeGreaterThan(1000);
});

test("similar ids have databases of their own", async () => {
  const ids = ["Globex", "globex", "globex ", "globex.", "глобекс", "é", "e\u0301", "x".repeat(200), "x".repeat(199)];
  for (const id of ids) await add(id, id);
  for (const id of ids) expect(await notes(id)).toEqual([id]);
  expect(await databases()).toHaveLength(ids.length);
});

test.each(["", "x".repeat(201), "a\n", "\ud800"])("an id that is not safe is refused: %j", async (id) => {
  await expect(notes(id)).rejects.toThrow("needs 1 to 200 characters");
});

test("a deleted database is not replaced by an empty one, and is found again after its restoration", async () => {
  await add("globex", "tea");
  const id = await remove("globex");
  await expect(notes("globex")).rejects.toThrow("doesn't exist");
  const refused = await notes("globex").catch((failure) => failure);
  expect(refused).toBeInstanceOf(DeletedError);
  expect(refused).toMatchObject({ id, message: expect.stringContaining("npx pulumi-dbplatform restore --since") });
  await expect(notes("globex", fresh())).rejects.toThrow(DeletedError);
  await send("POST", `${all()}/${id}/restore`);
  expect(await notes("globex")).toEqual(["tea"]);
});

test("after five days, a tenant begins again with an empty database", async () => {
  await add("globex", "tea");
  const id = await remove("globex");
  await platform.advance(FIVE_DAYS + 1);
  expect(await notes("globex", fresh())).toEqual([]);
  expect((await databases()).map(({ DbId }) => DbId)).not.toContain(id);
});

test("a database that belongs to another tenant is not used", async () => {
  await add("globex", "tea");
  const seed = { type: "database", name: nameOf("globex") };
  await fetch(platform.url + all(), {
    method: "POST",
    headers: { Authorization: `Bearer ${platform.apiToken}` },
    body: JSON.stringify({ name: nameOf("hooli"), group: "default", seed }),
  });
  await expect(notes("hooli")).rejects.toThrow("belongs to another tenant");
});

test("the token is renewed before it expires, without a pause", async () => {
  await add("globex", "tea");
  later(50 * MINUTE);
  // The first request starts the renewal, and still uses the old token.
  expect(await notes("globex")).toEqual(["tea"]);
  await vi.waitFor(() => expect(tokens()).toBe(2));
  later(20 * MINUTE);
  expect(await notes("globex")).toEqual(["tea"]);
  expect(tokens()).toBe(2);
});

/** Moves the clock of this process, and so that of the platform, which runs in it. */
function later(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ["Date"] });
}

const tokens = () => platform.journal().filter(({ operation }) => operation === "createDatabaseTokenById").length;
