import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { Seed } from "../../platform/reference/seed/seed";
import { startReferenceApi } from "../../platform/reference/server";
import {
  billingPlanReplaced,
  groupLocationAssumed,
  locationReplaced,
  ownerAssumed,
  PLACEHOLDER_OWNER,
} from "../../provider/twin/messages";
import { organizationSeed, seedFile } from "../../provider/twin/organization-seed";
import type { OrganizationReading } from "../../provider/twin/reading";
import { clientOf } from "../engine/engine-fixture";
import { full, printingFailures, seeded } from "../full";
import { file, readSeed } from "../reference/seed-files";
import { acts, rampage, SEED } from "../restore/rampage";
import { everyAnswer } from "./answers";
import { seedFrom, startTwin, tokensOfStarts, withoutTokens } from "./twin";

const NOON = "2026-03-01T12:00:00Z";

async function organization() {
  const api = await startReferenceApi({ seed: SEED, now: NOON });
  onTestFinished(() => api.close());
  const owner = clientOf(api, api.apiToken);
  return { api, owner, slug: { organizationSlug: api.organization }, id: { organizationId: api.organizationId } };
}

test("after any deletions, renames and restorations, a twin answers every GET like the organization", {
  tags: "more",
}, async () => {
  const equal = async (history: Parameters<typeof rampage>[1]) => {
    const api = await startReferenceApi({ seed: SEED, now: NOON });
    try {
      await rampage(api, history);
      const { seed } = await seedFrom(api, api.apiToken);
      const twin = await startTwin(seed, await api.clock.now(), ["ada", "max"]);
      try {
        const own = await tokensOfStarts(twin, seed);
        const answers = withoutTokens(await everyAnswer(twin, twin.apiToken), own);
        expect(answers).toEqual(await everyAnswer(api, api.apiToken));
      } finally {
        await twin.close();
      }
    } finally {
      await api.close();
    }
  };
  await fc.assert(fc.asyncProperty(acts, printingFailures(equal)), { numRuns: full ? 300 : 15, ...seeded });
});

test("reads only, and writes no credential", async () => {
  const { api, owner } = await organization();
  await owner.createApiToken({ tokenName: "ci", body: { organization: "acme" } });
  api.clearJournal();
  const found = await seedFrom(api, api.apiToken);
  expect(new Set(api.journal().map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(seedFile(found)).toContain("name: ci");
  expect(seedFile(found)).not.toMatch(/eyJ/);
});

test("the file contains the whole seed, and says in its first lines what is missing", async () => {
  const { api } = await organization();
  const viewer = await api.token({ role: "viewer" });
  const found = await seedFrom(api, viewer);
  expect(await readSeed(await file(seedFile(found)))).toEqual(Seed.parse(found.seed));
  expect(found.missing).toEqual([
    'Without the API tokens of other users: listing all API tokens requires an admin or owner of organization "acme", but "viewer" is a viewer.',
  ]);
  expect(seedFile(found)).toContain(`# ${found.missing[0]}\n`);
});

test("with a group-scoped token, the twin has the group, and every missing list is named with what it takes", async () => {
  const { api } = await organization();
  const reader = await api.token({ group: "default", scopes: ["read-only"] });
  const found = await seedFrom(api, reader);
  const [acme] = found.seed.organizations;
  expect(acme?.groups?.map(({ name }) => name)).toEqual(["default"]);
  expect(acme?.databases?.map(({ name }) => name)).toEqual(["orders", "tenant-1"]);
  expect(found.missing).toContain(ownerAssumed({ username: PLACEHOLDER_OWNER }));
  for (const objects of [
    "settings of the organization",
    "members",
    "invites",
    "API tokens",
    "deleted groups",
    "audit log",
  ])
    expect(found.missing.join("\n")).toMatch(
      new RegExp(`Without (the )?${objects}: .*use an organization-level token`),
    );

  const twin = await startTwin(found.seed, await api.clock.now());
  onTestFinished(() => twin.close());
  const token = await twin.token({ group: "default", scopes: ["read-only"] });
  expect(await everyAnswer(twin, token)).toEqual(await everyAnswer(api, reader));
});

test("on the free plan, it says that deleted objects and the audit log are missing", async () => {
  const { api } = await organization();
  await api.plan("starter");
  const { seed, missing } = await seedFrom(api, api.apiToken);
  expect(seed.organizations[0]?.plan).toBe("starter");
  expect(missing.map((sentence) => /^Without (the )?([^:]*): /.exec(sentence)?.[2])).toEqual([
    "deleted databases",
    "deleted groups",
    "audit log",
  ]);
});

test("an object that is deleted while the organization is read is in the seed once", async () => {
  const { api, owner, slug } = await organization();
  const fault = await api.fault({ operation: "listDeletedDatabases", latency: 200 });
  const reading = seedFrom(api, api.apiToken);
  while ((await api.faults()).some(({ id }) => id === fault)) await new Promise(setImmediate);
  await owner.deleteDatabase({ ...slug, databaseName: "orders" });
  const { seed } = await reading;
  expect(seed.organizations[0]?.databases?.filter(({ name }) => name === "orders")).toHaveLength(1);
});

test("a group that is deleted while the organization is read is in the seed once, with its databases", async () => {
  const { api, owner, slug } = await organization();
  const [before] = (await seedFrom(api, api.apiToken)).seed.organizations;
  const within = before?.databases?.filter(({ group }) => group === "shop") ?? [];
  for (const operation of ["listDeletedDatabases", "listDeletedGroups"] as const) {
    const fault = await api.fault({ operation, latency: 200 });
    const reading = seedFrom(api, api.apiToken);
    while ((await api.faults()).some(({ id }) => id === fault)) await new Promise(setImmediate);
    await owner.deleteGroup({ ...slug, groupName: "shop" });
    const [acme] = (await reading).seed.organizations;
    const shop = acme?.groups?.filter(({ name }) => name === "shop") ?? [];
    expect(shop).toMatchObject([{ deleted_at: expect.any(String) }]);
    expect(acme?.databases?.filter(({ group }) => group === shop[0]?.uuid)).toHaveLength(within.length);
    await owner.restoreGroup({ organizationId: api.organizationId, groupId: shop[0]?.uuid ?? "" });
  }
});

test("a twin has every database in its own group, also if a group has the UUID of another as its name", async () => {
  const uuid = "8d3e9f0c-41a7-4f4e-9c0e-3b4d9d1f7a55";
  const lost = "275a166f-f6c3-4374-833d-367748df19c5";
  const api = await startReferenceApi({
    now: NOON,
    seed: {
      users: [{ username: "ada" }],
      organizations: [
        {
          slug: "acme",
          members: [{ username: "ada", role: "owner" }],
          groups: [
            { name: uuid },
            { name: "0-shop", uuid },
            { name: lost },
            { name: "lost", uuid: lost, deleted_at: "-1d" },
          ],
          databases: [
            { name: "in-shop", group: "0-shop" },
            { name: "in-lost", group: "lost" },
          ],
        },
      ],
    },
  });
  onTestFinished(() => api.close());
  const owner = clientOf(api, api.apiToken);
  const slug = { organizationSlug: "acme" };
  const { groups } = await owner.listGroups(slug);
  for (const name of [uuid, lost]) {
    await owner.createDatabaseById({
      organizationId: api.organizationId,
      body: { name: `in-${name}`, group_id: groups.find((group) => group.name === name)?.uuid },
    });
    await owner.createApiToken({ tokenName: name, body: { organization: "acme", group: name, scopes: ["read"] } });
  }
  const { seed } = await seedFrom(api, api.apiToken);
  const twin = await startTwin(seed, await api.clock.now());
  onTestFinished(() => twin.close());
  const own = await tokensOfStarts(twin, seed);
  const answers = withoutTokens(await everyAnswer(twin, twin.apiToken), own);
  expect(answers).toEqual(withoutTokens(await everyAnswer(api, api.apiToken), own));
});

test("a twin can be served with its rows, also if the parent of a database is gone", async () => {
  const { api, owner, slug, id } = await organization();
  await owner.createDatabase({
    ...slug,
    body: { name: "copy", group: "default", seed: { type: "database", name: "orders" } },
  });
  await owner.deleteDatabase({ ...slug, databaseName: "orders" });
  await api.advance(6 * 86_400);
  const { seed } = await seedFrom(api, api.apiToken);
  const twin = await startReferenceApi({ seed, sql: true, now: NOON });
  onTestFinished(() => twin.close());
  const { databases } = await clientOf(twin, twin.apiToken).listDatabasesById({ ...id });
  const { DbId = "", parent } = databases.find(({ Name }) => Name === "copy") ?? {};
  expect(parent).toMatchObject({ name: "orders" });
  const { jwt } = await clientOf(twin, twin.apiToken).createDatabaseToken({ ...slug, databaseName: "copy" });
  const answer = await fetch(new URL(`/sql/${DbId}/v2/pipeline`, twin.url), {
    method: "POST",
    headers: { authorization: `Bearer ${jwt}` },
    body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql: "select 1" } }] }),
  });
  expect(answer.status).toBe(200);
});

const JWT = `${btoa('{"alg":"EdDSA"}')}.${btoa('{"iat":1}')}.${"c2lnbmF0dXJl".repeat(4)}`;

const LIVE: OrganizationReading = {
  slug: "acme",
  id: "0a28102d-6906-11ee-8553-eaa7715aeaf2",
  record: undefined,
  readAt: new Date(NOON),
  locations: { "aws-us-east-1": "AWS" },
  members: [{ username: "ada", role: "owner" }],
  invites: [],
  tokens: [],
  caller: "ada",
  groups: [],
  databases: [],
  deletedDatabases: [],
  deletedGroups: [],
  log: [],
  missing: [],
};

test("what the reference API does not know is replaced, and named", async () => {
  const uuid = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
  const { seed, missing } = await organizationSeed({
    ...LIVE,
    record: { id: LIVE.id, slug: "acme", plan_id: "galaxy" },
    groups: [
      { name: "mars", uuid, primary: "mars-1", locations: ["mars-1", "aws-eu-west-1"], delete_protection: false },
    ],
    deletedGroups: [{ uuid: LIVE.id, name: "lost", deleted_at: NOON }],
  });
  const [acme] = seed.organizations;
  expect(acme).toMatchObject({
    plan: "scaler",
    groups: [{ location: "aws-us-east-1", other_locations: ["aws-eu-west-1"] }, {}],
  });
  expect(missing).toEqual([
    groupLocationAssumed({ name: "lost", id: LIVE.id, location: "aws-us-east-1" }),
    locationReplaced({ kind: "group", name: "mars", location: "mars-1", wanted: "aws-us-east-1" }),
    billingPlanReplaced({ billingPlan: "galaxy", wanted: "scaler" }),
  ]);
});

test("what the seed can lack and the reference API cannot hold is left out, and named", async () => {
  const entry = { code: "db-create", message: "", origin: "cli", author: "ada", created_at: NOON };
  const invite = { role: "viewer" as const, created_at: NOON };
  const { seed, missing } = await organizationSeed({
    ...LIVE,
    record: { id: LIVE.id, slug: "acme", plan_id: "pro", plan_timeline: "weekly" },
    log: [
      { ...entry, data: { name: "orders" } },
      { ...entry, data: { token: JWT } },
      { ...entry, data: { "\0": JWT } },
    ],
    invites: [
      { ...invite, id: 1, email: "max@localhost" },
      { ...invite, id: 2, email: "zoe@acme.example" },
    ],
    tokens: [
      { id: "t1", name: "ci", created_at: "soon" },
      { id: "t3", name: JWT },
      { id: "t2", name: "reader", group: "lost", scopes: ["read"] },
    ],
  });
  const [acme] = seed.organizations;
  expect(acme?.audit_logs).toMatchObject([{ data: { name: "orders" } }]);
  expect(acme?.invites).toMatchObject([{ email: "zoe@acme.example" }]);
  expect(acme?.tokens).toMatchObject([{ name: "ci" }]);
  expect(missing.map((sentence) => /^Without (.*), which the reference API cannot hold: /.exec(sentence)?.[1])).toEqual(
    expect.arrayContaining(["entries of the audit log", "the invite to max@localhost", 'the API token "reader"']),
  );
  expect(JSON.stringify([seed, missing])).not.toContain(JWT);
});

test("a control character in a sentence does not end the comment of the file", async () => {
  const found = await organizationSeed({ ...LIVE, missing: ["Without members: a\nb\r\u001b[2Jusers: []."] });
  const text = seedFile(found);
  expect(text).toContain("# Without members: a b  [2Jusers: [].\n");
  expect(await readSeed(await file(text))).toEqual(Seed.parse(found.seed));
});

test("an organization that no seed can hold is refused with the reasons", async () => {
  const members = [{ username: "ada", role: "member" as const }];
  await expect(
    organizationSeed({ ...LIVE, record: { id: LIVE.id, slug: "acme", plan_id: "pro" }, members }),
  ).rejects.toThrow(
    'The reference API cannot hold organization "acme":\nseed: organizations: 0: members: at least one member must be an owner or admin',
  );
});
