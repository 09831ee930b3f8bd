import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReferenceApi } from "../../platform/reference/server";
import { calling } from "./calling";
import { NOON, world } from "./world";

let folder: string;
let data: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reference-"));
  data = join(folder, "platform.db");
});

// Servers made by `world` end in a hook that runs before this one.
afterEach(() => rm(folder, { recursive: true, force: true }));

test("what a file holds survives a restart: records, tokens, clock; and it is seeded once", async () => {
  const first = await startReferenceApi({ data, now: NOON });
  const ada = calling(first);
  const slug = { organizationSlug: "acme" };
  const { database } = await ada.ok("createDatabase", { ...slug, body: { name: "orders" } });
  await ada.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  await ada.ok("createDatabase", { ...slug, body: { name: "users" } });
  await first.advance(60);
  await first.close();

  const otherSeed = {
    users: [{ username: "eve" }],
    organizations: [{ slug: "other", members: [{ username: "eve", role: "owner" as const }] }],
  };
  const second = await startReferenceApi({ data, seed: otherSeed });
  expect(second.organization).toBe("acme");
  expect(second.tokens).toEqual({});
  expect(second.organizationId).toBe(first.organizationId);
  expect((await second.clock.now()).toISOString()).toBe("2026-03-01T12:01:00.000Z");
  const old = calling(second, first.apiToken);
  expect((await old.ok("listDatabases", slug)).databases.map(({ Name }) => Name)).toEqual(["users"]);
  await old.ok("restoreDatabase", { organizationId: second.organizationId, databaseId: database.DbId });
  expect(second.apiToken).not.toBe(first.apiToken);
  await calling(second).ok("retrieveOrganization", slug);
  await second.close();
});

test("two servers on one file are one platform: records, tokens and clock", async () => {
  const [one, other] = await Promise.all([world({ data }), world({ data })]);
  const there = calling(other.api, one.api.apiToken);
  const names = Array.from({ length: 20 }, (_, index) => `db-${index}`);
  const statuses = await Promise.all(
    names.flatMap((name) =>
      [one.owner, there].map((caller) => caller.status("createDatabase", { ...one.slug, body: { name } })),
    ),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 409)).toHaveLength(20);
  expect(await one.liveNames()).toEqual([...names].sort());
  await one.api.advance(30);
  expect((await other.api.clock.now()).toISOString()).toBe("2026-03-01T12:00:30.000Z");
});
