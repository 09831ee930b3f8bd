import { expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import type { Seed } from "../../platform/reference/seed/seed";
import { HttpConnection } from "../../provider/client/http/client";
import { calling, raw } from "./calling";
import { world } from "./world";

const TEXT = "create table t (x); -- as long as it is";
const file = new File([TEXT], "dump.sql");
const DUMPS = "/v1/organizations/acme/databases/dumps";

const seed: Seed = {
  users: [{ username: "ada" }],
  organizations: ["acme", "globex"].map((slug) => ({
    slug,
    members: [{ username: "ada", role: "owner" as const }],
    groups: [{ name: "default" }],
  })),
};

const fromDump = (name: string, url: string) => ({ name, seed: { type: "dump" as const, url } });

test("wire-facts 3.2 creates a database from an uploaded dump and reports the size of the dump", async () => {
  const { owner, slug } = await world();
  const { dump_url } = await owner.ok("uploadDump", { ...slug, body: { file } });
  expect(dump_url).toMatch(new RegExp(`^http://127.0.0.1:\\d+${DUMPS}/[0-9a-f-]{36}$`));
  await owner.ok("createDatabase", { ...slug, body: fromDump("orders", dump_url) });
  await owner.ok("createDatabase", { ...slug, body: fromDump("twice", dump_url.replace("127.0.0.1", "localhost")) });
  for (const databaseName of ["orders", "twice"]) {
    const { database } = await owner.ok("retrieveDatabaseUsage", { ...slug, databaseName });
    expect(database.total?.storage_bytes).toBe(TEXT.length);
    expect((await owner.ok("retrieveDatabase", { ...slug, databaseName })).database.parent).toBeNull();
  }
});

test("§5 rule 3 returns 400 for a dump of another organization, and for a dump that was never uploaded", async () => {
  const { api, slug, owner } = await world({ seed });
  const globex = calling(api, await api.token({ organization: "globex" }));
  const { dump_url } = await owner.ok("uploadDump", { ...slug, body: { file } });
  const refusal = (url: string) => ({ status: 400, error: refuse.dumpNotFound({ url }).message });
  const inGlobex = { organizationSlug: "globex", body: fromDump("orders", dump_url) };
  expect(await globex.refused("createDatabase", inGlobex)).toEqual(refusal(dump_url));
  const unknown = `${api.url}${DUMPS}/00000000-0000-4000-8000-000000000000`;
  expect(await owner.refused("createDatabase", { ...slug, body: fromDump("a", unknown) })).toEqual(refusal(unknown));
});

test("wire-facts 3.3 accepts the http(s) address of a dump on another server without fetching the dump", async () => {
  const { owner, slug } = await world();
  await owner.ok("createDatabase", { ...slug, body: fromDump("orders", "https://nowhere.invalid/dump.sql") });
});

test.each([
  ["is JSON", { body: "{}", headers: { "Content-Type": "application/json" } }],
  ["is empty", {}],
  ["has no boundary", { body: "--x--", headers: { "Content-Type": "multipart/form-data" } }],
  ["ends too early", { body: "--x\r\n", headers: { "Content-Type": "multipart/form-data; boundary=x" } }],
  ["has no file", { body: form({ other: file }) }],
  ["has text instead of the file", { body: form({ file: TEXT }) }],
])("wire-facts 3.2 returns 400 for an upload that %s", async (_what, init) => {
  const { api } = await world();
  const answer = await raw(api.url + DUMPS, { method: "POST", credential: api.apiToken, ...init });
  expect([answer.status, typeof (await answer.json()).error]).toEqual([400, "string"]);
  expect(await api.store.read((state) => state.selectFrom("dumps").selectAll().execute())).toEqual([]);
});

function form(fields: Record<string, File | string>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
}

test("wire-facts 3.2 returns 413 for an upload that is too large: a file of 64 MiB", async () => {
  const { api } = await world();
  const large = new File([new Uint8Array(64 * 1024 * 1024)], "dump.sql");
  const answer = await raw(api.url + DUMPS, { method: "POST", credential: api.apiToken, body: form({ file: large }) });
  expect([answer.status, await answer.json()]).toEqual([
    413,
    { error: refuse.bodyTooLarge({ mostBytes: 64 * 1024 * 1024 }).message },
  ]);
});

test("§1 accepts an upload from the provider's own client", async () => {
  const { api, slug } = await world();
  const connection = new HttpConnection({ baseUrl: api.url, apiToken: api.apiToken, userAgent: "test" });
  const client = connection.client({ signal: new AbortController().signal });
  const { dump_url } = await client.uploadDump({ ...slug, body: { file } });
  expect(dump_url).toContain(DUMPS);
  const sizes = await api.store.read((state) => state.selectFrom("dumps").select("size_bytes").execute());
  expect(sizes).toEqual([{ size_bytes: TEXT.length }]);
  await connection.close();
});

test("wire-facts 3.2 returns a dump URL with the same host as the request", async () => {
  const { api } = await world();
  const named = api.url.replace("127.0.0.1", "localhost");
  const answer = await raw(named + DUMPS, { method: "POST", credential: api.apiToken, body: form({ file }) });
  expect((await answer.json()).dump_url).toMatch(new RegExp(`^${named}${DUMPS}/`));
});

test("wire-facts 3.2 stores only the size of an uploaded file", async () => {
  const { api, owner, slug } = await world();
  await owner.ok("uploadDump", { ...slug, body: { file } });
  const kept = await api.store.read(async (state) => [
    await state.selectFrom("dumps").selectAll().execute(),
    await state.selectFrom("audit_logs").selectAll().execute(),
    api.journal(),
  ]);
  expect(JSON.stringify(kept)).not.toContain("create table");
});
