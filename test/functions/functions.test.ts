import { expect, test } from "vitest";
import { UNKNOWN_VALUE, unknownArgument } from "../../kit/lifecycle/messages";
import { UNKNOWN } from "../../kit/lifecycle/properties";
import { planCreate, planUpdate } from "../../kit/steps/plan";
import { readImported, readManaged } from "../../kit/steps/read";
import type { Operation } from "../../platform/contract/api";
import { failedResponse, inaccessibleOrganization } from "../../provider/client/messages";
import { functions } from "../../provider/functions/list";
import {
  argumentMissing,
  databaseNotFound,
  LIMIT_NOT_WHOLE,
  LIMIT_TOO_LOW,
  untilNotAfter,
  uuidInvalid,
} from "../../provider/functions/messages";
import { purposeOfLookUp } from "../../provider/lookups";
import { conflictsWith, TIMESTAMP_INVALID } from "../../provider/messages";
import { permittingScope } from "../../provider/permissions/permissions";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { availableGroups, groupNotFound } from "../../provider/resources/group/messages";
import { createdLater, restoredLater } from "../../provider/resources/messages";
import { flagSettings } from "../configuration-flags";
import { clientOf } from "../engine/engine-fixture";
import { SEED } from "../engine/seed";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";
import { ask, failuresOf } from "./asking";

const DAY = 24 * 60 * 60;

/** Starts a platform, and returns a provider context and a client that changes the platform outside Pulumi. */
async function here(seed = SEED, settings = {}) {
  const opened = await lifecycleFixture({ settings }, { seed });
  const { api } = opened;
  const slug = { organizationSlug: api.organization };
  return { ...opened, slug, outside: clientOf(api, api.apiToken) };
}

type Here = Awaited<ReturnType<typeof here>>;

const createDatabase = async ({ outside, slug }: Pick<Here, "outside" | "slug">, name: string, group = "default") =>
  (await outside.createDatabase({ ...slug, body: { name, group } })).database.DbId;

test("returns the organization with its plan and its recovery setting", async () => {
  const { api, context } = await here();
  expect(await ask("getOrganization", {}, context)).toMatchObject({
    id: api.organizationId,
    slug: "acme",
    planId: "scaler",
    restoreEnabled: true,
  });
});

test("returns every location with its code and description", async () => {
  const { context, outside } = await here();
  const { locations } = await outside.listLocations({});
  const told = (await ask("getLocations", {}, context)).locations as { code: string; description: string }[];
  expect(Object.fromEntries(told.map(({ code, description }) => [code, description]))).toEqual(locations);
  expect(told.length).toBeGreaterThan(0);
});

test("finds a group by name or by UUID in any spelling, with the same outputs as a Group resource", async () => {
  const { context, outside, slug } = await here();
  await outside.addGroupLocation({ ...slug, groupName: "default", location: "aws-eu-west-1" });
  await outside.updateGroupConfiguration({ ...slug, groupName: "default", body: { delete_protection: true } });
  const told = await ask("getGroup", { name: "default" }, context);
  expect(told).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: "default",
    location: "aws-us-east-1",
    locations: ["aws-eu-west-1"],
    deleteProtection: true,
    archived: false,
  });
  expect(await ask("getGroup", { uuid: String(told.uuid).toUpperCase() }, context)).toEqual(told);
  expect((await ask("getGroups", {}, context)).groups).toContainEqual(told);
});

test("finds a database by name, by DbId or in a list, with the same outputs as a Database resource", async () => {
  const world = await here();
  const dbId = await createDatabase(world, "orders");
  const told = await ask("getDatabase", { name: "orders" }, world.context);
  const { uuid } = await ask("getGroup", { name: "default" }, world.context);
  expect(told).toEqual({
    name: "orders",
    dbId,
    hostname: expect.stringMatching(/^orders-acme\./),
    url: `libsql://${told.hostname}`,
    httpUrl: `https://${told.hostname}`,
    groupId: uuid,
    groupName: "default",
    regions: ["aws-us-east-1"],
    primaryRegion: "aws-us-east-1",
    deleteProtection: false,
    archived: false,
    engine: "libsql",
  });
  expect(await ask("getDatabase", { dbId: dbId.toUpperCase() }, world.context)).toEqual(told);
  expect(await ask("getDatabases", {}, world.context)).toEqual({ databases: [told], truncated: false });
});

test("lists the databases of a group given by name or UUID, and the copies of a parent database", async () => {
  const world = await here();
  const { context, outside, slug } = world;
  const parent = await createDatabase(world, "orders");
  await createDatabase(world, "elsewhere", "other");
  await outside.createDatabase({
    ...slug,
    body: { name: "copy", group: "default", seed: { type: "database", name: "orders" } },
  });
  const { uuid } = await ask("getGroup", { name: "other" }, context);
  const namesOf = async (args: object) =>
    ((await ask("getDatabases", { ...args }, context)).databases as { name: string }[]).map(({ name }) => name);
  expect(await namesOf({})).toEqual(expect.arrayContaining(["orders", "elsewhere", "copy"]));
  expect(await namesOf({ group: "other" })).toEqual(["elsewhere"]);
  expect(await namesOf({ group: uuid })).toEqual(["elsewhere"]);
  expect(await namesOf({ parent })).toEqual(["copy"]);
  expect(await ask("getDatabase", { name: "copy" }, context)).toMatchObject({
    parent: { dbId: parent, name: "orders" },
  });
});

test("returns all properties of a configuration, even if no resource manages it", async () => {
  const world = await here();
  const { context, outside, slug } = world;
  const dbId = await createDatabase(world, "orders");
  const unset = {
    dbId,
    name: "orders",
    sizeLimit: "",
    ...flagSettings(false),
    allowedIps: [],
    allowedAwsVpcIds: [],
  };
  expect(await ask("getDatabaseConfiguration", { name: "orders" }, context)).toEqual(unset);
  const body = { block_writes: true, allowed_ips: ["10.0.0.0/8"] };
  await outside.updateDatabaseConfiguration({ ...slug, databaseName: "orders", body });
  expect(await ask("getDatabaseConfiguration", { dbId }, context)).toEqual({
    ...unset,
    blockWrites: true,
    allowedIps: ["10.0.0.0/8"],
  });
});

test("§8 returns deleted databases and groups, and computes `secondsLeft` from the platform's clock", async () => {
  const world = await here();
  const { api, context, outside, slug } = world;
  const { organizationId } = api;
  await api.clock.set("2031-05-01T12:00:00.000Z");
  const alone = await createDatabase(world, "alone");
  const member = await createDatabase(world, "member", "other");
  await outside.deleteDatabaseById({ organizationId, databaseId: alone });
  await api.advance(DAY);
  const { uuid } = await ask("getGroup", { name: "other" }, context);
  await outside.deleteGroup({ ...slug, groupName: "other" });
  await api.advance(60);

  const { databases } = (await ask("getDeletedDatabases", {}, context)) as { databases: { dbId: string }[] };
  const byId = Object.fromEntries(databases.map((database) => [database.dbId, database]));
  expect(byId[alone]).toEqual({
    name: "alone",
    dbId: alone,
    hostname: expect.stringMatching(/^alone-acme\./),
    groupId: expect.any(String),
    groupName: "default",
    regions: ["aws-us-east-1"],
    primaryRegion: "aws-us-east-1",
    deletedAt: "2031-05-01T12:00:00.000Z",
    restorableUntil: "2031-05-06T12:00:00.000Z",
    secondsLeft: 4 * DAY - 60,
  });
  expect(byId[member]).toMatchObject({
    groupId: uuid,
    groupDeletedAt: "2031-05-02T12:00:00.000Z",
    secondsLeft: 5 * DAY - 60,
  });
  expect(await ask("getDeletedGroups", {}, context)).toEqual({
    groups: [
      {
        uuid,
        name: "other",
        databaseCount: 1,
        deletedAt: "2031-05-02T12:00:00.000Z",
        restorableUntil: "2031-05-07T12:00:00.000Z",
        secondsLeft: 5 * DAY - 60,
      },
    ],
    truncated: false,
  });
  expect(((await ask("getDeletedDatabases", { search: "emb" }, context)).databases as object[]).length).toBe(1);

  // Moves the clock to the last moment at which the database can be restored and is still listed.
  await api.clock.set("2031-05-06T12:00:00.000Z");
  const last = (await ask("getDeletedDatabases", { search: "alone" }, context)).databases;
  expect(last).toMatchObject([{ secondsLeft: 0 }]);
  await api.advance(1);
  expect(await ask("getDeletedDatabases", { search: "alone" }, context)).toEqual({ databases: [], truncated: false });
});

test("returns the group, scopes and owner of each token, but not the token's secret", async () => {
  const { api, context, outside } = await here();
  const body = { organization: api.organization, group: "default", scopes: ["read-only"] };
  const minted = await outside.createApiToken({ tokenName: "ci", body });
  const { uuid } = await ask("getGroup", { name: "default" }, context);
  const answer = await ask("getApiTokens", {}, context);
  expect(answer.tokens).toContainEqual({
    id: minted.id,
    name: "ci",
    groupId: uuid,
    groupName: "default",
    scopes: ["read"],
    owner: "ada",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(JSON.stringify(answer)).not.toContain(minted.token);
});

test("returns the latest audit-log entries first, from as many pages as the limit requires", async () => {
  const audit_logs = Array.from({ length: 2_105 }, (_, index) => ({
    code: "db-create",
    author: "ada",
    message: `entry ${index}`,
    created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  }));
  const [acme, ...others] = SEED.organizations ?? [];
  if (!acme) throw new Error("the seed has no organization");
  const { context, takeOperations } = await here({ ...SEED, organizations: [{ ...acme, audit_logs }, ...others] });
  const { entries, truncated } = (await ask("getAuditLogs", {}, context)) as {
    entries: { message: string }[];
    truncated: boolean;
  };
  expect(entries.map(({ message }) => message)).toEqual(audit_logs.map(({ message }) => message).reverse());
  expect(truncated).toBe(false);
  expect(takeOperations()).toEqual(["listAuditLogs", "listAuditLogs", "listAuditLogs"]);

  expect(await ask("getAuditLogs", { limit: 2 }, context)).toEqual({
    entries: [
      {
        code: "db-create",
        message: "entry 2104",
        origin: expect.any(String),
        author: "ada",
        createdAt: audit_logs.at(-1)?.created_at,
        data: {},
      },
      expect.objectContaining({ message: "entry 2103" }),
    ],
    truncated: true,
  });
  expect(takeOperations()).toEqual(["listAuditLogs"]);
});

test("lists members with their roles and emails, and omits invites that are no longer pending", async () => {
  const { context, outside, slug } = await here();
  for (const email of ["lea@acme.example", "zoe@users.example"])
    await outside.createInvite({ ...slug, body: { email, role: "viewer" } });
  await outside.addMember({ ...slug, body: { username: "zoe", role: "viewer" } });
  expect((await ask("getMembers", {}, context)).members).toEqual(
    [
      { username: "ada", role: "owner" },
      { username: "max", role: "member" },
      { username: "zoe", role: "viewer" },
    ].map((member) => ({ ...member, email: `${member.username}@users.example` })),
  );
  expect((await ask("getInvites", {}, context)).invites).toEqual([
    { email: "lea@acme.example", role: "viewer", createdAt: expect.any(String) },
  ]);
});

test("applies the limit to every list, and reports whether the list has more items", async () => {
  const world = await here();
  const { api, context, outside } = world;
  const dbIds: string[] = [];
  for (const name of ["a", "b", "c"]) dbIds.push(await createDatabase(world, name));
  const body = { organization: api.organization };
  for (const tokenName of ["one", "two"]) await outside.createApiToken({ tokenName, body });
  const { tokens } = (await ask("getApiTokens", {}, context)) as { tokens: object[] };
  const whole = async (name: string, list: string, count: number) => {
    for (const limit of [1, count - 1, count, count + 1]) {
      const answer = await ask(name, { limit }, context);
      expect(answer[list], `${name} ${limit}`).toHaveLength(Math.min(limit, count));
      expect(answer.truncated, `${name} ${limit}`).toBe(limit < count);
    }
  };
  await whole("getGroups", "groups", 2);
  await whole("getDatabases", "databases", 3);
  await whole("getApiTokens", "tokens", tokens.length);
  await whole("getMembers", "members", 2);
  for (const name of ["kim", "lea"])
    await outside.createInvite({ ...world.slug, body: { email: `${name}@acme.example` } });
  await whole("getInvites", "invites", 2);
  for (const databaseId of dbIds) await outside.deleteDatabaseById({ organizationId: api.organizationId, databaseId });
  for (const groupName of ["default", "other"])
    await outside.deleteGroup({ organizationSlug: api.organization, groupName });
  await whole("getDeletedDatabases", "databases", 3);
  await whole("getDeletedGroups", "groups", 2);
});

test.each<[string, string, Record<string, unknown>, string]>([
  ["a call with neither name nor id", "getGroup", {}, `name: ${argumentMissing({ other: "uuid" })}`],
  [
    "a name together with an id",
    "getDatabase",
    { name: "a", dbId: "0a28102d-6906-11ee-8553-eaa7715aeaf2" },
    `dbId: ${conflictsWith({ other: "name" })}`,
  ],
  ["an invalid id", "getDatabaseConfiguration", { dbId: "orders" }, `dbId: ${uuidInvalid({ text: "orders" })}`],
  ["a parent given by name", "getDatabases", { parent: "orders" }, `parent: ${uuidInvalid({ text: "orders" })}`],
  ["a limit of zero", "getGroups", { limit: 0 }, `limit: ${LIMIT_TOO_LOW}`],
  ["a fractional limit", "getAuditLogs", { limit: 1.5 }, `limit: ${LIMIT_NOT_WHOLE}`],
  ["a time in words", "getAuditLogs", { since: "yesterday" }, `since: ${TIMESTAMP_INVALID}`],
  [
    "a time without a time zone",
    "getDatabaseUsage",
    { name: "a", until: "2026-11-01T00:00:00" },
    `until: ${TIMESTAMP_INVALID}`,
  ],
  [
    "a period that ends before it begins",
    "getAuditLogs",
    { since: "2026-11-02T00:00:00Z", until: "2026-11-02T00:00:00+01:00" },
    `until: ${untilNotAfter({ since: "2026-11-02T00:00:00Z" })}`,
  ],
  [
    "an empty period",
    "getDatabaseUsage",
    { name: "a", since: "2026-11-02T00:00:00Z", until: "2026-11-02T00:00:00Z" },
    "until: ",
  ],
  ["a limit in words", "getAuditLogs", { limit: "ten" }, "limit: "],
  [
    "an unknown argument",
    "getGroup",
    { nmae: "x" },
    unknownArgument({ owner: "getGroup", argument: "nmae", known: ["name", "uuid"] }),
  ],
  [
    "an argument where none is allowed",
    "getLocations",
    { limit: 1 },
    unknownArgument({ owner: "getLocations", argument: "limit", known: [] }),
  ],
  ["an unknown value", "getGroup", { name: UNKNOWN }, `name: ${UNKNOWN_VALUE}`],
])("rejects %s, and sends no request", async (_, name, args, expected) => {
  const { context, takeOperations } = await here();
  const failures = await failuresOf(name, args, context);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(expected);
  expect(takeOperations()).toEqual([]);
});

test("treats arguments that are undefined or null as omitted", async () => {
  const { context } = await here();
  expect(await ask("getGroup", { name: "default", uuid: null }, context)).toMatchObject({ name: "default" });
});

const missingGroup = (wanted: string) => ({
  answer: groupNotFound({ wanted, organization: "acme" }),
  advice: availableGroups({ known: ["default", "other"] }),
});

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

test.each<[string, Record<string, unknown>, { readonly answer: string; readonly advice: string }]>([
  ["getGroup", { name: "nowhere" }, missingGroup("nowhere")],
  ["getGroup", { uuid: UNKNOWN_ID }, missingGroup(UNKNOWN_ID)],
  ["getDatabase", { name: "nothing" }, databaseNotFound({ name: "nothing", organization: "acme" })],
  ["getDatabase", { dbId: UNKNOWN_ID }, databaseNotFound({ id: UNKNOWN_ID, organization: "acme" })],
  ["getDatabaseConfiguration", { name: "nothing" }, databaseNotFound({ name: "nothing", organization: "acme" })],
  ["getDatabases", { group: "nowhere" }, missingGroup("nowhere")],
])("if %s finds nothing, the error names the missing group or database", async (name, args, { answer, advice }) => {
  const { context } = await here();
  await expect(ask(name, args, context)).rejects.toMatchObject({
    kind: "absent",
    message: `${answer}. ${advice}`,
  });
});

test("advises using the resource's output if the update creates the requested resource", async () => {
  const { context } = await here();
  await planCreate(group, { name: "soon", location: "aws-us-east-1" }, context);
  await planCreate(
    database,
    { name: "orders-soon", group: UNKNOWN },
    { ...context, platform: { ...context.platform, urn: "other" } },
  );
  await expect(ask("getGroup", { name: "soon" }, context)).rejects.toThrow(createdLater({ output: "`group.id`" }));
  await expect(ask("getDatabases", { group: "soon" }, context)).rejects.toThrow(createdLater({ output: "`group.id`" }));
  await expect(ask("getDatabase", { name: "orders-soon" }, context)).rejects.toThrow(
    createdLater({ output: "`dbId`" }),
  );
});

test("advises using the resource's output if the update restores the requested resource", async () => {
  const world = await here();
  const dbId = await createDatabase(world, "orders");
  const { state, inputs } = await readImported(database, dbId, world.context);
  await world.outside.deleteDatabaseById({ organizationId: world.api.organizationId, databaseId: dbId });
  const deleted = await readManaged(database, { id: dbId, inputs, state }, world.context);
  await planUpdate(database, { id: dbId, oldInputs: inputs, state: deleted?.state ?? {}, news: inputs }, world.context);
  for (const args of [{ dbId }, { name: "orders" }])
    await expect(ask("getDatabase", args, world.context)).rejects.toThrow(restoredLater({ output: "`dbId`" }));
});

test("getDatabase does not find a deleted database, even if it can be restored", async () => {
  const world = await here();
  const databaseId = await createDatabase(world, "orders");
  await world.outside.deleteDatabaseById({ organizationId: world.api.organizationId, databaseId });
  for (const args of [{ name: "orders" }, { dbId: databaseId }])
    await expect(ask("getDatabase", args, world.context)).rejects.toMatchObject({ kind: "absent" });
});

test("reports that the configured organization cannot be accessed", async () => {
  const { context } = await here(SEED, { organization: "nobody" });
  for (const name of ["getDatabase", "getDatabaseConfiguration"])
    await expect(ask(name, { name: "orders" }, context)).rejects.toThrow(
      inaccessibleOrganization({
        organization: "nobody",
        response: failedResponse({ status: 404, error: "organization not found" }),
      }).answer,
    );
});

test.each(["getAuditLogs", "getDeletedDatabases", "getDeletedGroups"])(
  "§8 %s needs a paid plan, and quotes the platform's error on the free plan",
  async (name) => {
    const { api, context } = await here();
    await api.plan("starter");
    await expect(ask(name, {}, context)).rejects.toMatchObject({
      kind: "forbidden",
      message: expect.stringMatching(/403.*plan/),
    });
  },
);

test("each function calls all operations in its `reads`, and needs only the scope `read` for other calls", async () => {
  const world = await here();
  const database = await createDatabase(world, "orders");
  const cases: Record<string, Record<string, unknown>[]> = {
    getGroup: [{ name: "default" }],
    getDatabase: [{ name: "orders" }, { dbId: database }],
    getDatabaseConfiguration: [{ name: "orders" }, { dbId: database }],
    getInstances: [{ name: "orders" }, { dbId: database }],
    getDatabaseUsage: [{ name: "orders" }, { dbId: database }],
    getGroupUsage: [{ name: "default" }],
  };
  // With an organization-level token, `getGroupUsage` would not read the usage of each database separately.
  const ofGroup = { apiToken: await world.api.token({ group: "default" }), organizationId: world.api.organizationId };
  for (const { name, reads } of functions) {
    world.takeOperations();
    const context = name === "getGroupUsage" ? world.newProcess({}, ofGroup) : world.newProcess();
    for (const args of cases[name] ?? [{}]) await ask(name, args, context);
    // Ignores lookups of the organization, because a group-scoped token does not need them if the provider is
    // configured with the organization's UUID.
    const needed = world
      .takeOperations()
      .filter((operation) => name === "getOrganization" || operation !== "retrieveOrganization");
    expect(needed, name).toEqual(expect.arrayContaining([...reads]));
    expect(
      needed
        .filter((operation) => permittingScope(operation as Operation) !== "read")
        .every((each) => reads.includes(each as Operation)),
      name,
    ).toBe(true);
    const others = (needed as Operation[]).filter((each) => !reads.includes(each));
    expect(
      others.filter((each) => purposeOfLookUp(each) === undefined),
      name,
    ).toEqual([]);
  }
});

test("each function that finds a database by name or DbId names both look-ups in its `reads`", () => {
  const finding = functions.filter(({ args }) => "dbId" in args.shape);
  expect(finding.length).toBeGreaterThan(3);
  for (const { name, reads } of finding)
    expect(reads, name).toEqual(expect.arrayContaining(["retrieveDatabase", "retrieveDatabaseById"]));
});

test.each([
  ["getOrganization", "read the organization's record"],
  ["getDeletedGroups", "list deleted groups"],
  ["getApiTokens", "list API tokens"],
  ["getMembers", "list members"],
  ["getInvites", "list invites"],
  ["getAuditLogs", "list audit logs"],
])("§5 rule 7 %s rejects a group-scoped token, and explains what the token cannot do", async (name, what) => {
  const { api, newProcess } = await here();
  const token = await api.token({ group: "default", scopes: ["read"] });
  for (const organizationId of [api.organizationId, undefined]) {
    const pinned = await lifecycleFixture({ settings: { baseUrl: api.url, apiToken: token, organizationId } });
    const failure = await ask(name, {}, pinned.context).catch((thrown) => thrown);
    expect(failure).toMatchObject({ kind: "forbidden" });
    expect(failure.message).toMatch(new RegExp(`a group-scoped API token cannot ${what} .*organization-level token$`));
    expect(failure.message).not.toContain("pulumi config set");
    expect(failure.message).not.toContain(token);
  }
  expect(await ask(name, {}, newProcess())).toBeDefined();
});

test("a group-scoped token needs only the scope `read` to read the group and its databases", async () => {
  const world = await here();
  await createDatabase(world, "orders");
  await createDatabase(world, "elsewhere", "other");
  const apiToken = await world.api.token({ group: "default", scopes: ["read"] });
  const { context } = await lifecycleFixture({ settings: { baseUrl: world.api.url, apiToken } });
  expect((await ask("getGroups", {}, context)).groups).toMatchObject([{ name: "default" }]);
  expect((await ask("getDatabases", {}, context)).databases).toMatchObject([{ name: "orders" }]);
  expect(await ask("getDatabase", { name: "orders" }, context)).toMatchObject({ groupName: "default" });
  expect(await ask("getDatabaseConfiguration", { name: "orders" }, context)).toMatchObject({ blockReads: false });
  await expect(ask("getDatabase", { name: "elsewhere" }, context)).rejects.toMatchObject({
    kind: "absent",
    message: expect.stringContaining(databaseNotFound({ name: "elsewhere", organization: "acme" }).answer),
  });
});
