// @module-tag no-database-is-lost

import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { missingFromEnvironment } from "../../provider/command/messages";
import {
  DECLARED_UNKNOWN,
  declaredIn,
  INVALID_MOMENT,
  INVALID_RENAME,
  OTHER_STACKS,
  runAgain,
} from "../../provider/restore/messages";
import { clientOf, environmentOf } from "../engine/engine-fixture";
import { faultyWire } from "../faulty-wire";
import { column, execute } from "../reference/sql/sql";
import { restoreCommand as restore } from "../restore/restoring";

const slug = { organizationSlug: "acme" };

async function platform(options: Parameters<typeof startReferenceApi>[0] = {}): Promise<ReferenceApi> {
  const api = await startReferenceApi(options);
  onTestFinished(() => api.close());
  return api;
}

/** Writes the state of a stack that manages databases to a file, and returns its path. */
function stateOf(project: string, ...ids: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "state.json");
  const type = "dbplatform:index:Database";
  const resources = ids.map((id) => ({ urn: `urn:pulumi:dev::${project}::${type}::${id}`, type, id }));
  writeFileSync(path, JSON.stringify({ deployment: { resources } }));
  return path;
}

const liveNames = async (api: ReferenceApi) =>
  (await clientOf(api, api.apiToken).listDatabases(slug)).databases.map(({ Name }) => Name).sort();

test("restores databases with their rows, and says which stacks to preview", async () => {
  const api = await platform({ sql: true });
  const owner = clientOf(api, api.apiToken);
  const created = async (name: string, group: string) => {
    const { DbId } = (await owner.createDatabase({ ...slug, body: { name, group } })).database;
    const { jwt } = await owner.createDatabaseToken({ ...slug, databaseName: name, query: {}, body: {} });
    return { id: DbId, url: (api.sql ?? "").replace("{DbId}", DbId), token: jwt };
  };
  await owner.createGroup({ ...slug, body: { name: "tenants", location: "aws-us-east-1" } });
  const [tenant, orders] = [await created("tenant-1", "tenants"), await created("orders", "default")];
  for (const place of [tenant, orders]) {
    await execute(place, "create table t (x)");
    await execute(place, "insert into t values ('kept')");
  }
  await owner.deleteGroup({ ...slug, groupName: "tenants" });
  await owner.deleteDatabase({ ...slug, databaseName: "orders" });

  const environment = environmentOf(api);
  const plan = await restore(environment, ["--since", "10m"]);
  expect(plan.code, plan.stderr).toBe(0);
  expect(await liveNames(api)).toEqual([]);

  const state = stateOf("shop", orders.id);
  const run = await restore(environment, ["--since", "10m", "--yes", state]);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/orders .* shop\/dev\n/);
  expect(run.stdout).toContain(declaredIn({ stacks: ["shop/dev"], isStillDeleted: false }));
  for (const place of [tenant, orders]) expect(await column(place, "select x from t")).toEqual(["kept"]);
  expect(plan.stdout).not.toContain(DECLARED_UNKNOWN);
});

test("tells the stacks in which everything is back from those in which something is still deleted", async () => {
  const api = await platform();
  const owner = clientOf(api, api.apiToken);
  const ids: string[] = [];
  for (const name of ["carts", "orders"]) {
    ids.push((await owner.createDatabase({ ...slug, body: { name, group: "default" } })).database.DbId);
    await owner.deleteDatabase({ ...slug, databaseName: name });
  }
  const [carts = "", orders = ""] = ids;
  const states = [stateOf("shop", carts), stateOf("sales", carts, orders), stateOf("empty")];
  const args = ["--since", "10m", "--name", "carts", "--yes"];
  const { code, stdout } = await restore(environmentOf(api), [...args, ...states]);
  const sentences = [
    declaredIn({ stacks: ["shop/dev"], isStillDeleted: false }),
    declaredIn({ stacks: ["sales/dev"], isStillDeleted: true }),
    OTHER_STACKS,
  ];
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${sentences.join("\n")}\n`) });
});

test("says that no state was given, or that other stacks may declare what no given state has", async () => {
  const api = await platform();
  const owner = clientOf(api, api.apiToken);
  for (const [states, said] of [
    [[], DECLARED_UNKNOWN],
    [[stateOf("empty")], OTHER_STACKS],
  ] as const) {
    await owner.createDatabase({ ...slug, body: { name: "orders", group: "default" } });
    await owner.deleteDatabase({ ...slug, databaseName: "orders" });
    const { stdout } = await restore(environmentOf(api), ["--since", "10m", "--yes", ...states]);
    expect(stdout).toContain(`Restored 1 object.\n${said}\n`);
    await owner.deleteDatabase({ ...slug, databaseName: "orders" });
    await api.advance(660);
  }
});

test.each(["SIGINT", "SIGTERM"] as const)("ends with the line that continues, after %s", async (signal) => {
  const api = await platform();
  const owner = clientOf(api, api.apiToken);
  const names = Array.from({ length: 40 }, (_, index) => `db-${index}`);
  for (const name of names) await owner.createDatabase({ ...slug, body: { name, group: "default" } });
  for (const name of names) await owner.deleteDatabase({ ...slug, databaseName: name });
  const wire = await faultyWire(api.url);
  const environment = { ...environmentOf(api), DBPLATFORM_BASE_URL: wire.url };
  let command: ChildProcess | undefined;
  let asked = 0;
  wire.trouble = ({ operation }) => {
    if (operation === "restoreDatabase" && ++asked === 10) command?.kill(signal);
    return undefined;
  };
  const interrupted = await restore(environment, ["--since", "10m", "--yes"], {
    onStart: (child) => {
      command = child;
    },
  });
  expect(interrupted).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(runAgain({ options: "" }).slice(0, 20)),
  });
  const between = (await liveNames(api)).length;
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(names.length);
  const [, line = ""] = /restore (--since \S+ --until \S+ --yes)/.exec(interrupted.stderr) ?? [];
  expect(await restore(environment, line.split(" "))).toMatchObject({ code: 0 });
  expect(await liveNames(api)).toEqual(names.sort());
});

test("respects a limit of ten requests a second", { tags: "more" }, async () => {
  const api = await platform();
  const owner = clientOf(api, api.apiToken);
  const names = Array.from({ length: 30 }, (_, index) => `db-${index}`);
  for (const name of names) await owner.createDatabase({ ...slug, body: { name, group: "default" } });
  for (const name of names) await owner.deleteDatabase({ ...slug, databaseName: name });
  const wire = await faultyWire(api.url);
  let [begun, taken, refused] = [0, 0, 0];
  wire.trouble = () => {
    if (Date.now() - begun >= 1000) [begun, taken] = [Date.now(), 0];
    if (++taken <= 10) return undefined;
    refused++;
    return ({ send }) => send(429, JSON.stringify({ error: "slow down" }), { "retry-after": "1" });
  };
  const environment = { ...environmentOf(api), DBPLATFORM_BASE_URL: wire.url };
  expect(await restore(environment, ["--since", "10m", "--yes"])).toMatchObject({ code: 0 });
  expect(await liveNames(api)).toEqual(names.sort());
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(names.length);
});

test.each<[string[], string]>([
  [["--since", "10"], INVALID_MOMENT],
  [["--since", "yesterday"], INVALID_MOMENT],
  [["--since", "2026-02-01"], INVALID_MOMENT],
  [["--since", "10m", "--rename", "restored"], INVALID_RENAME],
  [[], "required option '--since <when>' not specified"],
])("rejects the arguments %j", async (args, reason) => {
  expect(await restore({}, args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(reason) });
});

test("names the settings that are missing", async () => {
  const missing = [{ name: "organization", isSecret: false, variable: "DBPLATFORM_ORGANIZATION" }];
  const { code, stderr } = await restore({}, ["--since", "10m"]);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(missingFromEnvironment({ missing })),
  });
});
