import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Seed } from "../../platform/reference/seed/seed";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { INVALID_DURATION, skippedObject, UNKNOWN_AGE } from "../../provider/adopt/messages";
import { unreadableAuditLog } from "../../provider/command/messages";
import { clientOf, environmentOf } from "../engine/engine-fixture";
import { operationsOf } from "../engine/journal";
import { adopt } from "./organization";

const DAY = 86_400;
const SEEDED = "6f1d3d6e-6b6c-4b0a-9d0e-2f4b8a1c7e55";

type Organization = Seed["organizations"][number];

async function organization(more: Partial<Organization> = {}): Promise<ReferenceApi> {
  const api = await startReferenceApi({
    seed: {
      users: [{ username: "ada" }, { username: "max" }],
      organizations: [
        {
          slug: "acme",
          plan: "scaler",
          members: [
            { username: "ada", role: "owner" },
            { username: "max", role: "admin" },
          ],
          groups: [{ name: "default" }],
          databases: [{ name: "seeded", uuid: SEEDED }],
          ...more,
        },
      ],
    },
  });
  onTestFinished(() => api.close());
  return api;
}

interface Unmanaged {
  readonly name: string;
  readonly type: string;
  readonly createdAt?: string;
  readonly createdBy?: string;
}

/** Writes an empty state to a file, and returns its path. */
function emptyState(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-adopt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const state = join(folder, "state.json");
  writeFileSync(state, JSON.stringify({ deployment: {} }));
  return state;
}

/** Runs `dbplatform adopt --unmanaged` with an empty Pulumi state, and selects only databases and groups. */
async function unmanaged(api: ReferenceApi, args: readonly string[], apiToken = api.apiToken) {
  const environment = { ...environmentOf(api, "acme", apiToken), DBPLATFORM_ORGANIZATION_ID: api.organizationId };
  const types = ["--type", "Database", "--type", "Group"];
  return adopt(environment, ["--unmanaged", ...types, ...args, emptyState()]);
}

test("lists old objects with their creation time and author, and reports objects of unknown age", async () => {
  const api = await organization();
  const ada = clientOf(api, api.apiToken);
  const max = clientOf(api, await api.token({ user: "max" }));
  const at = { organizationSlug: "acme" };
  const create = (client: typeof ada, name: string, group = "previews") =>
    client.createDatabase({ ...at, body: { name, group } });
  await max.createGroup({ ...at, body: { name: "previews", location: "aws-us-east-1" } });
  await max.createDatabase({ ...at, body: { name: "old", group: "previews" } });
  await create(max, "again");
  await ada.deleteDatabase({ ...at, databaseName: "again" });
  await api.advance(8 * DAY);
  await create(ada, "again");
  await create(ada, "new");

  const { code, stdout, stderr } = await unmanaged(api, ["--json", "--older-than", "7d"]);
  expect(code, stderr).toBe(0);
  const found: { unmanaged: Unmanaged[]; leftOut: object[] } = JSON.parse(stdout);
  expect(found.unmanaged.map(({ name, createdBy }) => [name, createdBy])).toEqual([
    ["previews", "max"],
    ["old", "max"],
  ]);
  const { audit_logs } = await ada.listAuditLogs({ ...at, query: {} });
  const creation = audit_logs.find(({ data }) => data.database === "old");
  expect(found.unmanaged[1]?.createdAt).toBe(creation?.created_at);
  expect(stderr).toContain(skippedObject({ type: "Database", name: "seeded", id: SEEDED, reason: UNKNOWN_AGE }));
  expect(found.leftOut).toContainEqual({
    type: "dbplatform:index:Database",
    name: "seeded",
    id: SEEDED,
    reason: UNKNOWN_AGE,
  });

  const everything = await unmanaged(api, []);
  expect(everything.stdout).toMatch(/^Database +new +\S+ +previews +\d{4}-\d\d-\d\d \d\d:\d\d UTC +ada$/m);
  expect(everything.stdout).toMatch(/^Database +seeded +\S+ +default$/m);
  expect(JSON.parse((await unmanaged(api, ["--json", "--older-than", "1w2d"])).stdout).unmanaged).toEqual([]);
});

test.each<[what: string, entry: NonNullable<Organization["audit_logs"]>[number]]>([
  ["has the database's name but not its id", { code: "db-create", author: "max", data: { database: "seeded" } }],
  [
    "records a change other than the database's creation",
    { code: "db-token-create", author: "max", data: { id: SEEDED } },
  ],
  [
    "has the database's id in an unrelated field",
    { code: "db-create", author: "max", data: { id: "other", seed: SEEDED } },
  ],
  [
    "has an id that is an object instead of a string",
    { code: "db-create", author: "max", data: { id: { DbId: SEEDED } } },
  ],
  [
    "records the creation of a group with the database's id",
    { code: "group-create", author: "max", data: { uuid: SEEDED } },
  ],
])("ignores an audit-log entry that %s", async (_, entry) => {
  const api = await organization({ audit_logs: [{ ...entry, created_at: "-30d" }] });
  const { stdout } = await unmanaged(api, ["--json", "--name", "seeded"]);
  expect(JSON.parse(stdout).unmanaged).toEqual([
    expect.not.objectContaining({ createdAt: expect.anything(), createdBy: expect.anything() }),
  ]);
});

test("stops reading the audit log at the creation of the oldest object", async () => {
  const creation = { code: "db-create", author: "max", created_at: "-30d", data: { id: SEEDED } };
  const change = { code: "db-configure", author: "max", created_at: "-1d", data: { database: "seeded" } };
  const api = await organization({ audit_logs: [creation, ...Array(1200).fill(change)] });
  const requests = operationsOf(api, ({ operation }) => operation === "listAuditLogs");
  const old = await unmanaged(api, ["--json", "--name", "seeded", "--older-than", "29d"]);
  expect(JSON.parse(old.stdout).unmanaged).toMatchObject([{ name: "seeded", createdBy: "max" }]);
  expect(requests()).toHaveLength(2);
  const client = clientOf(api, api.apiToken);
  await client.createDatabase({ organizationSlug: "acme", body: { name: "new", group: "default" } });
  await unmanaged(api, ["--name", "new"]);
  expect(requests()).toHaveLength(1);
});

test.each<[what: string, plan: "starter" | "scaler", scoped: boolean]>([
  ["on the free plan", "starter", false],
  ["with a group-scoped token", "scaler", true],
])("%s, lists objects without ages, and rejects --older-than", async (_, plan, scoped) => {
  const api = await organization({ plan });
  const apiToken = scoped ? await api.token({ group: "default", scopes: ["read"] }) : api.apiToken;
  const listed = await unmanaged(api, ["--name", "seeded"], apiToken);
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout).toMatch(/^Database +seeded +\S+ +default$/m);
  const refused = await unmanaged(api, ["--older-than", "7d"], apiToken);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(unreadableAuditLog({ option: "--older-than", cause: "" }));
});

test.each(["7", "0d", "1.5h", "1ms"])("rejects %o as the value of --older-than", async (age) => {
  const { code, stdout, stderr } = await unmanaged(await organization(), [`--older-than=${age}`]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(INVALID_DURATION);
});

test("with --older-than, writes an import file for old objects of every type", async () => {
  const api = await organization();
  const client = clientOf(api, api.apiToken);
  const organizationSlug = "acme";
  await client.createGroup({ organizationSlug, body: { name: "old", location: "aws-us-east-1" } });
  await client.createDatabase({ organizationSlug, body: { name: "data", group: "old" } });
  const body = { delete_protection: true };
  await client.updateDatabaseConfiguration({ organizationSlug, databaseName: "data", body });
  await client.createApiToken({ tokenName: "pipeline", body: { organization: "acme" } });
  await api.advance(8 * DAY);
  const { stdout } = await adopt(environmentOf(api), ["--older-than", "7d", emptyState()]);
  expect(JSON.parse(stdout).resources).toMatchObject([
    { name: "oldGroup" },
    { name: "dataDatabase", parent: "oldGroup" },
    { name: "dataDatabaseConfiguration", parent: "dataDatabase" },
    { name: "pipelineApiToken" },
  ]);
});
