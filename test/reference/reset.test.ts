import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deterministicOnPublicHost } from "../../platform/reference/messages";
import type { Seed } from "../../platform/reference/seed/seed";
import { calling, raw } from "./calling";
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
      groups: [
        { name: "default", other_locations: ["aws-eu-west-1"] },
        { name: "shop", deleted_at: "-1d" },
      ],
      databases: [
        { name: "users", allowed_ips: ["10.0.0.0/8"] },
        { name: "orders", group: "shop" },
        { name: "gone", deleted_at: "-2d12h" },
      ],
      tokens: [
        { name: "ci", user: "ada", group: "default", scopes: ["full-access"] },
        { name: "laptop", user: "max" },
      ],
    },
  ],
};

/** Returns all data that a user can see. */
const lookedAt = async ({ owner, slug, id, api }: Awaited<ReturnType<typeof world>>) => ({
  organization: await owner.ok("retrieveOrganization", slug),
  groups: await owner.ok("listGroups", slug),
  databases: await owner.ok("listDatabases", slug),
  configuration: await owner.ok("retrieveDatabaseConfiguration", { ...slug, databaseName: "users" }),
  deletedGroups: await owner.ok("listDeletedGroups", id),
  deletedDatabases: await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } }),
  tokens: await owner.ok("listApiTokens", slug),
  max: await owner.ok("retrieveMember", { ...slug, username: "max" }),
  now: await api.clock.now(),
});

async function change({ owner, slug, id, api }: Awaited<ReturnType<typeof world>>): Promise<void> {
  await owner.ok("createGroup", { ...slug, body: { name: "more", location: "aws-us-west-2" } });
  await owner.ok("createDatabase", { ...slug, body: { name: "more", group: "more" } });
  await owner.ok("deleteDatabase", { ...slug, databaseName: "users" });
  await owner.ok("updateOrganization", { ...slug, body: { restore_enabled: true } });
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  const orders = databases.find(({ Name }) => Name === "orders");
  await owner.ok("restoreDatabase", { ...id, databaseId: orders?.DbId ?? "" });
  await owner.ok("deleteGroup", { ...slug, groupName: "default" });
  await api.member("max", undefined);
  await api.plan("starter");
  await api.clock.run();
  await api.advance(10 * 86_400);
}

test("a reset restores the initial ids, tokens, members, plan and clock", async () => {
  const here = await world({ seed: SEED });
  const before = await lookedAt(here);
  const other = await here.api.token();
  await change(here);
  expect((await raw(`${here.api.url}/_reference/reset`, { method: "POST" })).status).toBe(200);
  expect(here.api.journal()).toEqual([]);
  expect(await lookedAt(here)).toEqual(before);
  expect(await calling(here.api, other).status("listLocations", {})).toBe(401);
  for (const token of [here.api.unrestrictedToken, ...Object.values(here.api.tokens)])
    await calling(here.api, token).ok("listDatabases", here.slug);
  await change(here);
  await here.api.reset();
  expect(await lookedAt(here)).toEqual(before);
});

test("a reset sets the use counts of the initial fault rules to zero, and removes all other rules", async () => {
  const { api, owner } = await world({ faults: [{ operation: "listLocations", status: 503 }] });
  expect(await owner.status("listLocations", {})).toBe(503);
  api.fault({ operation: "*", status: 500 });
  await api.reset();
  expect(api.faults()).toMatchObject([{ operation: "listLocations", fired: 0 }]);
  expect(await owner.status("listLocations", {})).toBe(503);
  await owner.ok("listLocations", {});
});

test("a reset recalculates relative times, so that the seed's deleted databases can be restored again", async () => {
  const here = await world({ seed: SEED, now: undefined });
  await here.api.advance(30 * 86_400);
  expect(await here.deletedNames()).toEqual([]);
  await here.api.reset();
  expect(await here.deletedNames()).toEqual(["gone", "orders"]);
});

async function dataFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reset-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "platform.db");
}

test("a reset by one process on a shared file keeps the startup tokens of every process valid", async () => {
  const data = await dataFile();
  const one = await world({ data, seed: SEED });
  const other = await world({ data });
  await one.database("more");
  await other.api.reset();
  expect(await one.liveNames()).toEqual(["users"]);
  expect(await other.liveNames()).toEqual(["users"]);
  await calling(other.api, one.api.tokens.ci).ok("listDatabases", one.slug);
  await one.api.close();
  await other.database("after");
  const third = await world({ data, now: "2026-03-02T00:00:00.000Z" });
  await third.api.advance(60);
  await third.api.reset();
  expect(await other.liveNames()).toEqual(["users"]);
  expect((await third.api.clock.now()).toISOString()).toBe("2026-03-02T00:00:00.000Z");
});

test("requests succeed during a reset, and the next reset removes the databases they created", async () => {
  const here = await world({ seed: SEED });
  const before = await lookedAt(here);
  const names = Array.from({ length: 30 }, (_, index) => `db-${index}`);
  const statuses = await Promise.all(
    names.flatMap((name, index) => [
      here.owner.status("createDatabase", { ...here.slug, body: { name, group: "default" } }),
      ...(index % 10 === 5 ? [here.api.reset().then(() => 200)] : []),
    ]),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await here.api.reset();
  expect(await lookedAt(here)).toEqual(before);
});

test("refuses to reset data without a stored seed, and changes nothing", async () => {
  const here = await world();
  await here.api.store.transaction([], (state) =>
    state
      .deleteFrom("settings")
      .where("name", "=", "seed")
      .execute()
      .then(() => undefined),
  );
  await here.database("orders");
  const answer = await raw(`${here.api.url}/_reference/reset`, { method: "POST" });
  expect([answer.status, (await answer.json()).error]).toEqual([400, expect.stringContaining("no seed")]);
  expect(await here.liveNames()).toEqual(["orders"]);
});

/** Starts a reference API and sends a few requests. Returns the resulting ids, tokens and responses. */
async function story(options: Parameters<typeof world>[0]) {
  const here = await world({ seed: SEED, ...options });
  const { api, owner, slug } = here;
  await here.group("more");
  const orders = await here.database("fresh", "more");
  const minted = await owner.ok("createApiToken", { tokenName: "mine", body: { organization: "acme" } });
  await here.api.reset();
  const again = await here.database("after");
  const { url: _, ...start } = { url: api.url, tokens: api.tokens, apiToken: api.apiToken, id: api.organizationId };
  return { start, orders, again, minted, groups: await owner.ok("listGroups", slug), token: await api.token() };
}

test("a deterministic start always creates the same ids and tokens, whereas other starts create new ones", async () => {
  const first = await story({ deterministic: true });
  expect(await story({ deterministic: true })).toEqual(first);
  expect(await story({ deterministic: true, data: await dataFile() })).toEqual(first);
  expect((await story({})).start.apiToken).not.toBe(first.start.apiToken);
});

test("refuses a deterministic start on addresses other than loopback, before anything is stored", async () => {
  const data = await dataFile();
  await expect(world({ deterministic: true, host: "0.0.0.0", data })).rejects.toThrow(
    deterministicOnPublicHost({ host: "0.0.0.0" }),
  );
  expect((await world({ data })).api.seeded).toBe(true);
});

test("loads faults from a file at startup, and reports the line and the property of each error", async () => {
  const path = `${await dataFile()}.yaml`;
  await writeFile(path, "- operation: listLocations\n  times: 2\n  status: 503\n");
  const { owner } = await world({ faults: path });
  expect(await owner.status("listLocations", {})).toBe(503);
  await writeFile(path, '- operation: listLocations\n  status: 503\n- operation: "*"\n  status: 200\n  statsu: 1\n');
  const failure = await world({ faults: path, now: NOON }).catch(({ message }) => message);
  expect(failure.split("\n")).toEqual([
    expect.stringMatching(/\.yaml:4: 1: status: /),
    expect.stringMatching(/\.yaml:5: 1: statsu: unknown key/),
  ]);
});
