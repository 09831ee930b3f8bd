// @module-tag more

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { version } from "../../package.json";
import type { Operation } from "../../platform/contract/api";
import type { Fault } from "../../platform/reference/faults/faults";
import type { Seed } from "../../platform/reference/seed/seed";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { type OwnGroup, PREFIX } from "../../tools/live/own-group";
import { playEverything } from "../../tools/live/play";
import { READS } from "../../tools/live/reads";
import type { StepResult } from "../../tools/live/report";
import { root } from "../../tools/run";
import { liveDatabases } from "../../tools/story";
import { TemporaryProject } from "../../tools/temporary-project";
import { Pulumi } from "../engine/cli";
import { clientOf } from "../engine/engine-fixture";
import { RunningCommand } from "../engine/running";
import { SEED } from "../engine/seed";
import { foreignHosts } from "../foreign-hosts";

const TSX = pathToFileURL(require.resolve("tsx")).href;

const TLS = join(__dirname, "../plugin/tls/platform-for-tests");

const HOST = "platform.test";

const COMPLETE = ["--organization", "umbrella", "--base-url", `https://${HOST}`];

const USERS = ["wilhelmina", "maximilian"] as const;

/** The settings that a shell may have, and that the run does not use. */
const PRODUCTION = {
  DBPLATFORM_BASE_URL: "https://production.test",
  DBPLATFORM_ORGANIZATION: "production",
  DBPLATFORM_ORGANIZATION_ID: "0c54a2a2-0d21-4e0c-94c5-7d9b8a2d8f6e",
  DBPLATFORM_API_TOKEN: "token-of-production",
};

/** An organization that is in use, in which no list is empty. */
const ORGANIZATION: Seed["organizations"][number] = {
  slug: "umbrella",
  plan: "scaler",
  members: [
    { username: USERS[0], role: "owner" },
    { username: USERS[1], role: "member" },
  ],
  groups: [{ name: "default" }, { name: "retired", deleted_at: "-1d" }],
  databases: [{ name: "orders", delete_protection: true }, { name: "customers" }, { name: "old", deleted_at: "-1d" }],
  invites: [{ email: "lea@umbrella.example" }],
  tokens: [{ name: "ci", user: USERS[1] }],
};

/** Starts a platform that is reached under foreign hostnames, by https and through a proxy. */
async function foreignPlatform(faults: readonly Fault[] = [], organization: Partial<typeof ORGANIZATION> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "live-"));
  mkdirSync(join(folder, "tmp"));
  const data = join(folder, "platform.db");
  const seed: Seed = {
    users: USERS.map((username) => ({ username })),
    organizations: [{ ...ORGANIZATION, ...organization }],
  };
  const tls = { cert: readFileSync(`${TLS}.cert.pem`, "utf8"), key: readFileSync(`${TLS}.key.pem`, "utf8") };
  const api = await startReferenceApi({ data, seed, faults, sql: true, tls });
  // On the same data, for the test itself, which trusts no certificate of its own.
  const local = await startReferenceApi({ data });
  onTestFinished(async () => {
    await Promise.all([api.close(), local.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const proxy = await foreignHosts(Number(new URL(api.url).port));
  const run = (
    args: readonly string[],
    environment: Record<string, string> = { DBPLATFORM_LIVE_TOKEN: api.apiToken },
  ) => {
    const child = spawn(process.execPath, ["--import", TSX, join(root, "tools/live/main.ts"), ...args], {
      cwd: folder,
      env: {
        HOME: process.env.HOME,
        PATH: [join(root, "node_modules/.bin"), Pulumi.bin, process.env.PATH].join(delimiter),
        TMPDIR: join(folder, "tmp"),
        HTTPS_PROXY: proxy.url,
        NO_PROXY: "127.0.0.1,localhost",
        NODE_USE_ENV_PROXY: "1",
        NODE_EXTRA_CA_CERTS: `${TLS}.cert.pem`,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    return { command: new RunningCommand(child), child };
  };
  const live = () => run(COMPLETE);
  return { api, world: worldOf(local), hosts: proxy.asked, folder, run, live };
}

/** Reads everything in the organization, with what is deleted apart. */
function worldOf(api: ReferenceApi) {
  const client = clientOf(api, api.apiToken);
  const slug = { organizationSlug: api.organization };
  const id = { organizationId: api.organizationId };
  return {
    living: async () => ({
      organization: await client.retrieveOrganization(slug),
      groups: (await client.listGroups(slug)).groups,
      databases: (await client.listDatabases(slug)).databases,
      tokens: (await client.listApiTokens(slug)).tokens,
      members: (await client.listMembers(slug)).members,
      invites: (await client.listInvites(slug)).invites,
    }),
    deleted: async () => ({
      groups: (await client.listDeletedGroups(id)).groups,
      databases: (await client.listDeletedDatabases({ ...id, query: { deleted: "true" } })).databases,
    }),
  };
}

function reportIn(folder: string): string {
  const [file = "", ...others] = readdirSync(join(folder, "live"));
  expect(others).toEqual([]);
  expect(file).toMatch(/^\d{4}-\d\d-\d\d-\d{4}\.md$/);
  return readFileSync(join(folder, "live", file), "utf8");
}

/** Returns the cells of each row of the report's tables, without their headers. */
const rowsOf = (report: string): string[][] =>
  report
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (Step|Operation|---)/.test(line))
    .map((line) => line.slice(2, -2).split(" | "));

test("plays everything on a platform with a foreign hostname, and leaves the organization as it was", async () => {
  const { api, world, hosts, folder, run } = await foreignPlatform();
  const [before, deletedBefore] = [await world.living(), await world.deleted()];
  const { code, output } = await run(COMPLETE, { ...PRODUCTION, DBPLATFORM_LIVE_TOKEN: api.apiToken }).command.ended();
  expect(code, output).toBe(0);

  const rows = rowsOf(reportIn(folder));
  const named = (operation: string) => rows.filter(([name]) => name === operation);
  for (const operation of READS)
    expect(named(operation), operation).toEqual([
      [operation, "200", expect.stringMatching(/^ok\b/), expect.anything()],
    ]);
  const steps = rows.filter(([name]) => !READS.includes(name as Operation));
  expect(steps.map(([, result]) => result)).toEqual(Array(14).fill("ok"));
  expect(reportIn(folder)).toContain(`of version ${version} against ${HOST}, begun at`);

  expect(await world.living()).toEqual(before);
  const deleted = await world.deleted();
  expect(deleted.groups).toEqual(expect.arrayContaining(deletedBefore.groups));
  expect(deleted.databases).toEqual(expect.arrayContaining(deletedBefore.databases));
  const [own, ...others] = deleted.groups.filter(({ uuid }) => !deletedBefore.groups.some((old) => old.uuid === uuid));
  expect(others).toEqual([]);
  expect(own?.name).toMatch(new RegExp(`^${PREFIX}\\d{8}-[0-9a-f]{8}$`));
  const left = deleted.databases.filter(({ DbId }) => !deletedBefore.databases.some((old) => old.DbId === DbId));
  expect(new Set(left.map(({ group_id }) => group_id))).toEqual(new Set([own?.uuid]));
  expect(left).toHaveLength(2);

  const ofDatabase = expect.stringMatching(/^orders-\w+-umbrella\.aws-ap-northeast-1\.dbplatform\.example:443$/);
  expect([...new Set(hosts)].sort()).toEqual([ofDatabase, `${HOST}:443`]);
  expect(readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("dbplatform-stage-"))).toEqual([]);
  const secret = [api.organization, api.organizationId, ...USERS, "orders-", "archive-", PREFIX];
  expect(secret.filter((text) => reportIn(folder).includes(text))).toEqual([]);
  for (const text of [reportIn(folder), output]) expect(text).not.toContain("eyJ");
});

test("reports what differs, by names of fields, and fails", async () => {
  const { folder, live, world } = await foreignPlatform([
    { operation: "retrieveSubscription", omit: ["plan"] },
    { operation: "listInvites", status: 403 },
    { operation: "listPlans", body: { plans: [], coupons: ["eyJ"] } },
    { operation: "retrievePaymentMethods", body: { exists: "wilhelmina" } },
    { operation: "createDatabase", status: 409, times: 100 },
  ]);
  const before = await world.living();
  const { code, output } = await live().command.ended();
  expect(code, output).toBe(1);
  const rows = rowsOf(reportIn(folder));
  expect(rows).toContainEqual(["retrieveSubscription", "200", "**`subscription.plan` is missing**", expect.anything()]);
  expect(rows).toContainEqual(["listInvites", "403", "**refused**", expect.anything()]);
  expect(rows).toContainEqual(["listPlans", "200", "ok; `plans` is empty; also has `coupons`", expect.anything()]);
  expect(rows).toContainEqual([
    "retrievePaymentMethods",
    "200",
    "**`exists` is wrong (expected boolean)**",
    expect.anything(),
  ]);
  expect(rows).toContainEqual([
    "retrieveDatabase",
    "–",
    "**not sent, because the run has no databaseName**",
    expect.anything(),
  ]);
  expect(rows).toContainEqual([
    "A database is created in the group.",
    "**createDatabase was answered 409**",
    expect.anything(),
  ]);
  expect(reportIn(folder)).not.toContain("wilhelmina");
  expect(await world.living()).toEqual(before);
});

test.each([
  ["is interrupted", "SIGINT"],
  ["loses its terminal", "SIGHUP"],
] as const)("cleans up when it %s", async (_, signal) => {
  const { folder, live, world } = await foreignPlatform();
  const before = await world.living();
  const { command, child } = live();
  await expect
    .poll(async () => (await world.living()).databases.map(({ Name }) => Name), { timeout: 120_000 })
    .toContainEqual(expect.stringMatching(/^orders-/));
  if (signal === "SIGHUP") for (const stream of [child.stdout, child.stderr]) stream.destroy();
  // A terminal sends a signal to a whole process group.
  process.kill(-Number(child.pid), signal);
  const { code, output } = await command.ended();
  expect(code, output).toBe(130);
  expect(await world.living()).toEqual(before);
  expect(existsSync(join(folder, "live"))).toBe(false);
  expect(readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("dbplatform-stage-"))).toEqual([]);
});

test("names what stays if the group cannot be deleted", async () => {
  const { folder, live, world } = await foreignPlatform([
    { operation: "deleteGroup", status: 503, times: 100 },
    { operation: "deleteDatabaseById", status: 503, times: 100 },
  ]);
  const { code, output } = await live().command.ended();
  expect(code, output).toBe(1);
  const { groups, databases } = await world.living();
  const group = groups.find(({ name }) => name.startsWith(PREFIX));
  const database = databases.find(({ Name }) => Name.startsWith("archive-"));
  expect(output).toContain(
    `Not deleted: group "${group?.name}" (${group?.uuid}), database "${database?.Name}" (${database?.DbId}).`,
  );
  expect(output).toContain(`https://${HOST}/v1/organizations/umbrella/groups/${group?.name}`);
  expect(reportIn(folder)).toContain("**the group is still there**");
});

test("does not start while another run's group exists", async () => {
  const name = `${PREFIX}20261130-0a1b2c3d`;
  const { api, live } = await foreignPlatform([], { groups: [{ name: "default" }, { name }] });
  const { code, output } = await live().command.ended();
  expect(code).toBe(1);
  expect(output).toContain(`Group "${name}"`);
  expect(api.journal().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("says that nothing was created if the platform refuses the token", async () => {
  const { api, run } = await foreignPlatform();
  const { code, output } = await run(COMPLETE, { DBPLATFORM_LIVE_TOKEN: "s3cret" }).command.ended();
  expect(code).toBe(1);
  expect(output).toContain("retrieveOrganization was answered 401. Nothing was created.");
  expect(output).not.toContain("s3cret");
  expect(api.journal().filter(({ method }) => method !== "GET")).toEqual([]);
});

test.each([
  ["an organization", COMPLETE.slice(2), "DBPLATFORM_LIVE_TOKEN"],
  ["an address", COMPLETE.slice(0, 2), "DBPLATFORM_LIVE_TOKEN"],
  ["a token of its own", COMPLETE, "DBPLATFORM_API_TOKEN"],
])("sends nothing without %s, and says what to set", async (_, args, variable) => {
  const { api, hosts, run } = await foreignPlatform();
  const { code, output } = await run(args, { ...PRODUCTION, [variable]: api.apiToken }).command.ended();
  expect(code).toBe(1);
  expect(output).toContain("npm run live -- --organization <slug> --base-url <address>");
  expect(hosts).toEqual([]);
});

/** Plays everything in this process, on this machine. */
async function playHere(signal: AbortSignal, faults: readonly Fault[] = []) {
  const api = await startReferenceApi({ seed: SEED, faults, sql: true });
  onTestFinished(() => api.close());
  const group: OwnGroup = { name: `${PREFIX}test`, isOwn: false, databases: [] };
  const location = "aws-us-east-1";
  const play = () => {
    const stage = new TemporaryProject(Pulumi.bin);
    signal.addEventListener("abort", () => void stage.clear());
    return playEverything({ stage, platform: api, group, location, username: "ada", signal });
  };
  return { api, group, play, world: worldOf(api), client: clientOf(api, api.apiToken) };
}

const failuresIn = ({ steps }: { readonly steps: readonly StepResult[] }) =>
  steps.flatMap(({ failure }) => failure ?? []);

test("ends when the time is over, and deletes its group", async () => {
  const limit = new AbortController();
  const { play, world } = await playHere(limit.signal);
  const before = await world.living();
  const played = play();
  await expect.poll(async () => (await world.living()).databases.length, { timeout: 60_000 }).toBe(1);
  limit.abort();
  expect(failuresIn(await played)).toContain("stopped after 10 minutes");
  expect(await world.living()).toEqual(before);
});

test("ends when its group has more databases than the story, and deletes the group", async () => {
  const { api, group, play, world, client } = await playHere(new AbortController().signal);
  const before = await world.living();
  const played = play();
  await expect.poll(async () => (await world.living()).groups.length, { timeout: 60_000 }).toBe(3);
  for (const name of ["one", "two"])
    await client.createDatabase({ organizationSlug: api.organization, body: { name, group: group.name } });
  expect(failuresIn(await played)).toContain("more than 2 databases");
  expect(await world.living()).toEqual(before);
});

test("deletes no group whose creation was refused", async () => {
  const { api, play } = await playHere(new AbortController().signal, [{ operation: "createGroup", status: 409 }]);
  expect(failuresIn(await play())).toContain("createGroup was answered 409");
  expect(api.journal().filter(({ method }) => method !== "GET")).toMatchObject([{ operation: "createGroup" }]);
});

test("takes no database of another group for its own, even if the platform lists it", async () => {
  const { api, client } = await playHere(new AbortController().signal);
  const slug = { organizationSlug: api.organization };
  for (const group of ["default", "other"])
    await client.createDatabase({ ...slug, body: { name: `in-${group}`, group } });
  api.fault({ operation: "listDatabases", body: await client.listDatabases(slug) });
  expect(await liveDatabases({ platform: api, group: "other" })).toMatchObject([{ Name: "in-other" }]);
});
