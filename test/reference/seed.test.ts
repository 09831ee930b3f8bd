import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentOf } from "../../platform/reference/content";
import { Seed } from "../../platform/reference/seed/seed";
import { calling } from "./calling";
import { NOON, world } from "./world";

const ORDERS = "0eb771dd-6906-11ee-8553-eaa7715aeaf2";

const SEED = `
users:
  - username: ada
  - username: vera
organizations:
  - slug: acme
    plan: pro
    members:
      - { username: ada, role: owner }
      - { username: vera, role: viewer }
    groups:
      - name: default
      - { name: shop, location: aws-eu-west-1, deleted_at: 2026-02-28T12:00:00Z }
    databases:
      - { name: live, size_limit: 1gb, allowed_ips: [10.0.0.0/8] }
      - { name: orders, group: shop, uuid: ${ORDERS} }
      - { name: gone, group: shop, deleted_at: 2026-02-27T00:00:00Z }
    tokens:
      - { name: ci, user: ada, group: default, scopes: [read-only] }
      - { name: vera-laptop, user: vera }
`;

const readSeed = (path: string) => contentOf(path, Seed, "seed");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "seed-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(text: string): Promise<string> {
  const path = join(folder, "seed.yaml");
  await writeFile(path, text);
  return path;
}

test("a seed from a file holds what it says, the deleted things among it", async () => {
  const { api, owner, slug, id, liveNames, deletedNames } = await world({
    seed: await readSeed(await file(SEED)),
    now: NOON,
  });
  expect(await liveNames()).toEqual(["live"]);
  expect(await deletedNames()).toEqual(["gone", "orders"]);
  const configuration = await owner.ok("retrieveDatabaseConfiguration", { ...slug, databaseName: "live" });
  expect(configuration).toMatchObject({ size_limit: "1gb", allowed_ips: ["10.0.0.0/8"] });
  expect((await owner.ok("listDeletedGroups", id)).groups).toMatchObject([{ name: "shop", cascade_databases: 1 }]);
  const { database } = await owner.ok("restoreDatabase", { ...id, databaseId: ORDERS });
  expect(database).toMatchObject({ DbId: ORDERS, group_deleted_at: "2026-02-28T12:00:00.000Z" });
  expect(database.Hostname).toMatch(/^orders-acme\.aws-eu-west-1\./);
  expect((await owner.ok("retrieveOrganization", slug)).organization.plan_id).toBe("pro");
  await calling(api, api.tokens.ci).ok("listDatabases", slug);
  expect((await calling(api, api.tokens["vera-laptop"]).ok("retrieveUser", {})).user.username).toBe("vera");
});

test("a group that the seed deleted is restored with the databases that went with it", async () => {
  const { owner, id, liveNames } = await world({ seed: await readSeed(await file(SEED)), now: NOON });
  const { groups } = await owner.ok("listDeletedGroups", id);
  const restored = await owner.ok("restoreGroup", { ...id, groupId: groups[0]?.uuid ?? "" });
  expect(restored.databases.map(({ DbId }) => DbId)).toEqual([ORDERS]);
  expect(await liveNames()).toEqual(["live", "orders"]);
});

const FAMILY = `
users: [{ username: ada }]
organizations:
  - slug: acme
    members: [{ username: ada, role: owner }]
    groups: [{ name: default, other_locations: [aws-eu-west-1, aws-us-west-2], delete_protection: true }]
    databases:
      - { name: copy, parent: orders, branched_at: -1d12h, deleted_at: -36h }
      - { name: orders, uuid: ${ORDERS}, storage_bytes: 5000000000 }
      - { name: other-copy, parent: ${ORDERS} }
    invites:
      - { email: Eve@users.example, role: admin, created_at: -1d }
      - { email: mallory@users.example }
    audit_logs:
      - { code: group-create, author: max, created_at: -3d, data: { group: default } }
      - { code: db-create, author: ada, origin: web }
`;

test("what happened before is in the audit log, the latest first, and what happens comes after it", async () => {
  const { owner, slug, database } = await world({ seed: await readSeed(await file(FAMILY)) });
  await database("fresh");
  const { audit_logs } = await owner.ok("listAuditLogs", slug);
  expect(audit_logs).toMatchObject([
    { code: "db-create", origin: "api", author: "ada", created_at: NOON },
    { code: "db-create", origin: "web", author: "ada", created_at: NOON, data: {} },
    { code: "group-create", author: "max", created_at: "2026-02-26T12:00:00.000Z", data: { group: "default" } },
  ]);
});

test("a seed says where groups are, how large databases are, and what they were made from", async () => {
  const { owner, slug } = await world({ seed: await readSeed(await file(FAMILY)) });
  const { groups } = await owner.ok("listGroups", slug);
  expect(groups).toMatchObject([
    {
      primary: "aws-us-east-1",
      locations: ["aws-us-east-1", "aws-eu-west-1", "aws-us-west-2"],
      delete_protection: true,
    },
  ]);
  const { database } = await owner.ok("retrieveDatabaseUsage", { ...slug, databaseName: "orders" });
  expect(database.total?.storage_bytes).toBe(15_000_000_000);
  const copy = await owner.ok("retrieveDatabase", { ...slug, databaseName: "other-copy" });
  expect(copy.database).toMatchObject({ parent: { id: ORDERS, name: "orders", branched_at: NOON } });
});

test("a seed says who is invited, and those who are invited later come after", async () => {
  const { owner, slug } = await world({ seed: await readSeed(await file(FAMILY)) });
  await owner.ok("createInvite", { ...slug, body: { email: "trent@users.example", role: "viewer" } });
  const { invites } = await owner.ok("listInvites", slug);
  expect(invites).toMatchObject([
    { email: "eve@users.example", role: "admin", created_at: "2026-02-28T12:00:00.000Z" },
    { email: "mallory@users.example", role: "member", created_at: NOON },
    { email: "trent@users.example", role: "viewer" },
  ]);
});

test("times before now are those of the clock at which the seed is sown", async () => {
  const { owner, id } = await world({ seed: await readSeed(await file(FAMILY)) });
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  expect(databases).toMatchObject([{ Name: "copy", deleted_at: "2026-02-28T00:00:00.000Z" }]);
  const restored = await owner.ok("restoreDatabase", { ...id, databaseId: databases[0]?.DbId ?? "" });
  expect(restored.database.Name).toBe("copy");
});

test("ten thousand databases in a hundred groups are sown", async () => {
  const groups = Array.from({ length: 100 }, (_, index) => ({ name: `g-${index}` }));
  const databases = Array.from({ length: 10_000 }, (_, index) => ({ name: `db-${index}`, group: `g-${index % 100}` }));
  const organization = { slug: "acme", members: [{ username: "ada", role: "owner" as const }], groups, databases };
  const { api, owner, slug } = await world({ seed: { users: [{ username: "ada" }], organizations: [organization] } });
  const count = async () => (await owner.ok("listDatabases", { ...slug, query: { group: "g-7" } })).databases.length;
  expect(await count()).toBe(100);
  await owner.ok("deleteDatabase", { ...slug, databaseName: "db-7" });
  await api.reset();
  expect(await count()).toBe(100);
});

describe("a mistake in a seed file is told with its line", () => {
  test.each([
    ["no YAML", "users: [", /line 1/],
    ["an unknown key", SEED.replace("plan: pro", "paln: pro"), /seed\.yaml:6:.*paln/],
    ["an unknown plan", SEED.replace("plan: pro", "plan: gold"), /seed\.yaml:7:.*plan/],
    [
      "a member who is no user",
      SEED.replace("{ username: vera, role", "{ username: bob, role"),
      /seed\.yaml:10:.*"bob"/,
    ],
    ["an unknown location", SEED.replace("aws-eu-west-1", "mars"), /seed\.yaml:13:.*"mars"/],
    ["a size that is none", SEED.replace("1gb", "much"), /seed\.yaml:15:.*size_limit/],
    ["an unknown group", SEED.replace("group: shop", "group: shpo"), /seed\.yaml:16:.*"shpo"/],
    ["a token of nobody", SEED.replace("user: ada", "user: bob"), /seed\.yaml:19:.*"bob"/],
    [
      "a token of a deleted group",
      SEED.replace("group: default, scopes", "group: shop, scopes"),
      /seed\.yaml:19:.*group: group "shop" is deleted, and its tokens with it/,
    ],
    ["an alias of nothing", SEED.replace("plan: pro", "plan: *nothing"), /seed\.yaml: .*nothing/],
    ["a user twice", SEED.replace("- username: vera", "- username: ada"), /seed\.yaml:4:.*user "ada" is there twice/],
    [
      "a member twice",
      SEED.replace("{ username: vera, role", "{ username: ada, role"),
      /seed\.yaml:10:.*member "ada" is there twice/,
    ],
    [
      "a group twice",
      SEED.replace("{ name: shop, location: aws-eu-west-1, deleted_at: 2026-02-28T12:00:00Z }", "{ name: default }"),
      /seed\.yaml:13:.*group "default" is there twice/,
    ],
    [
      "a group's UUID twice",
      SEED.replace("- name: default", `- { name: default, uuid: ${ORDERS} }`).replace(
        "{ name: shop,",
        `{ name: shop, uuid: ${ORDERS.toUpperCase()},`,
      ),
      /seed\.yaml:13:.*uuid: group with the UUID .* is there twice/,
    ],
    [
      "a living database twice",
      SEED.replace("{ name: orders, group: shop", "{ name: live, group: default"),
      /seed\.yaml:16:.*database "live" is there twice/,
    ],
    [
      "a database's UUID twice",
      SEED.replace("{ name: gone,", `{ name: gone, uuid: ${ORDERS},`),
      /seed\.yaml:17:.*uuid: database with the UUID .* is there twice/,
    ],
    [
      "a time that is none",
      SEED.replace("2026-02-28T12:00:00Z", "yesterday"),
      /seed\.yaml:13:.*deleted_at: "yesterday"/,
    ],
    ["a time before all times", SEED.replace("2026-02-28T12:00:00Z", "-999999w"), /seed\.yaml:13:.*deleted_at: .*9999/],
    ["a location twice", FAMILY.replace("aws-eu-west-1", "aws-us-east-1"), /seed\.yaml:6:.*other_locations: .*twice/],
    ["an unknown parent", FAMILY.replace("parent: orders", "parent: ordres"), /seed\.yaml:8:.*parent: .*"ordres"/],
    [
      "a database that descends from itself",
      FAMILY.replace("storage_bytes: 5000000000", "parent: other-copy"),
      /seed\.yaml:9:.*parent: a database cannot descend from itself/,
    ],
    ["a branch of nothing", FAMILY.replace("parent: orders, ", ""), /seed\.yaml:8:.*branched_at needs a parent/],
    [
      "an invite twice",
      FAMILY.replace("mallory@", "eve@"),
      /seed\.yaml:13:.*invite of "eve@users.example" is there twice/,
    ],
    ["a token twice", SEED.replace("vera-laptop", "ci"), /seed\.yaml:20:.*token "ci" is there twice/],
    [
      "a slug twice",
      `${SEED}  - { slug: acme, members: [{ username: ada, role: owner }] }\n`,
      /seed\.yaml:21:.*organization "acme" is there twice/,
    ],
  ])("%s", async (_what, text, message) => {
    await expect(readSeed(await file(text))).rejects.toThrow(message);
  });

  test("every mistake, also of a seed that a program gives", async () => {
    const wrong = SEED.replace("plan: pro", "plan: gold").replace("aws-eu-west-1", "mars");
    await expect(readSeed(await file(wrong))).rejects.toThrow(/seed\.yaml:7:.*plan.*\n.*seed\.yaml:13:.*"mars"/);
    const seed = { users: [], organizations: [{ slug: "Acme", members: [] }] };
    await expect(world({ seed })).rejects.toThrow(/seed: users: .*\nseed: organizations: 0: slug: /);
  });

  test("a file that cannot be read is named", async () => {
    await expect(readSeed(folder)).rejects.toThrow(`the seed file ${folder} cannot be read: EISDIR`);
  });

  test("deleted things may share a name, and so may things of two organizations", async () => {
    const text = SEED.replace("{ name: gone,", "{ name: orders,").concat(
      "  - { slug: zero, members: [{ username: ada, role: owner }], groups: [{ name: default }] }\n",
    );
    const { deletedNames } = await world({ seed: await readSeed(await file(text)), now: NOON });
    expect(await deletedNames()).toEqual(["orders", "orders"]);
  });
});
