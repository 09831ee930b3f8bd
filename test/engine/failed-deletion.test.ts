// @module-tag no-database-is-lost

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import {
  deletionUndecided,
  notDeleted,
  oneOfSeveralIsDeleted,
  replacedIsDeletedNow,
  replacedIsKept,
  replacedIsLeft,
  replacedIsTakenBack,
  replacementStillDeleted,
} from "../../kit/lifecycle/messages";
import { restored, restorePlanned } from "../../kit/lifecycle/restore/messages";
import type { Fault } from "../../platform/reference/faults/faults";
import { CrashScene } from "./crash";
import { type EngineFixture, engineFixture } from "./engine-fixture";

type Objects = Readonly<Record<string, string>>;
type Answer = Omit<Fault, "operation">;

const DELETIONS = ["deleteDatabaseById", "deleteGroup", "revokeApiToken"] as const;
const RESTORABLE = { brings: "with its data", restorableUntil: "2026-03-06T12:00:00.000Z" };
const BUSY = { status: 409, body: { error: "busy" } } as const;

const FIRST = { place: "default", location: "aws-us-east-1", version: "1", suffix: "" };
const SECOND = { place: "other", location: "aws-eu-west-1", version: "2", suffix: "-2" };

async function liveObjects({ api, outside, databases }: EngineFixture): Promise<Objects> {
  const organizationSlug = api.organization;
  const [{ groups }, { tokens }] = await Promise.all([
    outside.listGroups({ organizationSlug }),
    outside.listApiTokens({ organizationSlug }),
  ]);
  return {
    ...(await databases()),
    ...Object.fromEntries(groups.map(({ name, uuid }) => [name, uuid])),
    ...Object.fromEntries(tokens.map(({ name, id }) => [name, id])),
  };
}

/** Returns what messages say about an object with this name. */
function described(name: string) {
  const noun = /^(ci|deploy)/.test(name) ? "API token" : name.startsWith("team") ? "group" : "database";
  const brings = { "API token": "", group: "with its databases and their data", database: "with its data" }[noun] ?? "";
  return { title: `${noun} "${name}"`, brings };
}

/**
 * A stack with databases, a group and tokens, with fixed and generated names, whose replacement has created the new
 * objects, but could not delete the old ones.
 */
async function withFailedDeletions(
  { ApiToken, Database, Group }: typeof plugin,
  answer: Answer,
  config: Record<string, string> = {},
) {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const given = { ...FIRST };
  const stack = await here.stack(
    async () => {
      const { place: group, location, version, suffix } = given;
      new Database("orders", { group });
      new Database("fixed", { group, name: `fixed${suffix}` });
      const { id } = new Group("team", { location, forceDestroy: true });
      new Database("inside", { group: id });
      const { token } = new ApiToken("ci", { keepers: { version } });
      const { token: fixed } = new ApiToken("deploy", { name: `deploy${suffix}`, keepers: { version } });
      return { token, fixed };
    },
    { config },
  );
  await stack.deploy();
  const [before, tokens] = [await liveObjects(here), await stack.outputs()];
  for (const operation of DELETIONS) here.api.fault({ operation, times: 99, ...answer });
  Object.assign(given, SECOND);
  const failed = await stack.up({ continueOnError: true });
  expect(failed.code).not.toBe(0);
  here.api.clearFaults();
  const after = await liveObjects(here);
  expect(after).toMatchObject(before);
  here.writes();
  const nameOf = (logical: string, objects: Objects, not: Objects = {}) =>
    Object.keys(objects).find((name) => name.startsWith(logical) && !(name in not)) ?? "";
  const pair = (logical: string) => {
    const [old, next] = [nameOf(logical, before), nameOf(logical, after, before)];
    return { old, id: before[old] ?? "", next, nextId: after[next] ?? "" };
  };
  return { here, stack, given, before, after, tokens, failed, pair };
}

test("manages the old objects again if a replacement that could not delete them is taken back", async () => {
  const { here, stack, given, before, tokens, failed, pair } = await withFailedDeletions(plugin, BUSY);
  // The engine does not come to the group, because its database could not be deleted.
  for (const { old, id } of ["orders", "fixed", "inside", "ci", "deploy"].map(pair))
    expect(failed.output).toContain(replacedIsLeft({ ...described(old), id, isRead: true }));

  Object.assign(given, FIRST);
  const preview = await stack.preview();
  expect(preview.code, preview.output).toBe(0);
  for (const { old, id, next, nextId } of ["orders", "fixed", "team", "inside", "ci", "deploy"].map(pair)) {
    const managed = { title: described(next).title, id: nextId };
    const until = described(old).brings ? { restorableUntil: RESTORABLE.restorableUntil } : {};
    expect(preview.output).toContain(replacedIsTakenBack({ ...described(old), id, managed, ...until }));
  }
  expect(preview.output).not.toContain("without its data");
  expect(here.writes()).toEqual([]);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveObjects(here)).toEqual(before);
  expect(await stack.outputs()).toEqual(tokens);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test.each([
  ["HTTP 422", { status: 422, body: { error: "quota" } }],
  ["HTTP 403", { status: 403, body: { error: "forbidden" } }],
  ["a lost response", { reset: "before" }],
] as const)("manages the old objects again after deletions that ended with %s", { tags: "more" }, async (_, answer) => {
  const { here, stack, given, before, failed, pair } = await withFailedDeletions(plugin, answer);
  const { old, id } = pair("orders");
  expect(failed.output).toContain(replacedIsLeft({ ...described(old), id, isRead: true }));
  Object.assign(given, FIRST);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveObjects(here)).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test.each(["before an operation starts", "after an operation ends"] as const)(
  "manages the old database again after a run that was killed %s",
  { tags: "more" },
  async (moment) => {
    const orders = (group: string) => ({ orders: { type: "dbplatform:Database", properties: { group } } });
    const scene = await CrashScene.open(orders("default"));
    const recorded = async () =>
      (await scene.stack.exportState()).deployment.resources as { type: string; id: string }[];
    const ids = async () => (await recorded()).filter(({ type }) => type.endsWith(":Database")).map(({ id }) => id);
    const [id] = await ids();
    scene.program = orders("other");
    await scene.crash({ victim: "engine", moment, calls: { deleteDatabaseById: 1 }, later: {} });
    expect(await scene.stack.cli("cancel", "--yes")).toMatchObject({ code: 0 });
    scene.program = orders("default");
    const up = await scene.up();
    expect(up.code, up.output).toBe(0);
    expect(await ids()).toEqual([id]);
    expect((await scene.up("--expect-no-changes")).code).toBe(0);
  },
);

test.each([
  ["the same replacement", SECOND],
  ["a third group", { ...SECOND, place: "third", version: "3" }],
])("names the old objects before it deletes them for %s", { tags: "more" }, async (_, program) => {
  const { here, stack, given, pair } = await withFailedDeletions(plugin, BUSY);
  await here.outside.createGroup({
    organizationSlug: here.api.organization,
    body: { name: "third", location: "aws-us-east-1" },
  });
  Object.assign(given, program);
  if (program.place === "third") given.suffix = "-3";
  for (const run of [await stack.preview(), await stack.up()]) {
    expect(run.code, run.output).toBe(0);
    for (const { old, id } of ["orders", "fixed", "team", "inside", "ci", "deploy"].map(pair)) {
      const until = described(old).brings ? { restorableUntil: RESTORABLE.restorableUntil } : {};
      expect(run.output).toContain(replacedIsDeletedNow({ ...described(old), id, ...until }));
    }
  }
  expect(Object.values(await liveObjects(here))).not.toContain(pair("orders").id);
});

test("names both databases before it deletes them with a resource that is removed", { tags: "more" }, async () => {
  const { stack, pair } = await withFailedDeletions(plugin, BUSY);
  const { old, id, next, nextId } = pair("orders");
  stack.program = async () => {};
  const { code, output } = await stack.up();
  expect(code, output).toBe(0);
  for (const deleted of [
    { ...described(old), id },
    { ...described(next), id: nextId },
  ])
    expect(output).toContain(oneOfSeveralIsDeleted({ ...deleted, restorableUntil: RESTORABLE.restorableUntil }));
});

test("manages an old database again if its replacement was deleted outside", { tags: "more" }, async () => {
  const { here, stack, given, before, pair } = await withFailedDeletions(plugin, BUSY);
  await here.delete(pair("orders").nextId);
  Object.assign(given, FIRST);
  expect(await stack.preview()).toMatchObject({ code: 0 });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveObjects(here)).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("restores an old database that was deleted outside before its replacement is taken back", {
  tags: "more",
}, async () => {
  const { here, stack, given, before, pair } = await withFailedDeletions(plugin, BUSY);
  const { old, id, next, nextId } = pair("fixed");
  await here.delete(id);
  Object.assign(given, FIRST);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  const managed = { title: described(next).title, id: nextId };
  const { restorableUntil } = RESTORABLE;
  expect(up.output).toContain(replacedIsTakenBack({ title: described(old).title, id, managed, restorableUntil }));
  expect(up.output).toContain(restored({ title: described(old).title, brings: "with its data" }));
  expect(await liveObjects(here)).toEqual(before);
});

test("deletes an old database, as the preview says, if its replacement was deleted outside and comes back", {
  tags: "more",
}, async () => {
  const { here, stack, pair } = await withFailedDeletions(plugin, BUSY);
  const { old, id, next, nextId } = pair("orders");
  await here.delete(nextId);
  const deletedNow = replacedIsDeletedNow({ ...described(old), id, ...RESTORABLE });
  const preview = await stack.preview();
  expect(preview.output).toContain(deletedNow);
  expect(preview.output).toContain(restorePlanned({ ...described(next), id: nextId }));
  here.api.fault({ operation: "restoreDatabase", times: 99, ...BUSY });
  const failed = await stack.up({ continueOnError: true });
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain(replacementStillDeleted({ ...described(next), id: nextId }));
  expect(Object.values(await liveObjects(here))).toContain(id);
  here.api.clearFaults();
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(up.output).toContain(restored(described(next)));
  expect(up.output).toContain(deletedNow);
  const live = Object.values(await liveObjects(here));
  expect(live).toContain(nextId);
  expect(live).not.toContain(id);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("keeps an old object in the stack if an update fails to manage it again", { tags: "more" }, async () => {
  const here = await engineFixture();
  const databases: plugin.DatabaseArgs = { group: "default" };
  const groups: plugin.GroupArgs = { location: FIRST.location };
  const stack = await here.stack(async () => {
    new plugin.Database("orders", databases);
    new plugin.Group("team", groups);
  });
  await stack.deploy();
  const before = await liveObjects(here);
  for (const operation of DELETIONS) here.api.fault({ operation, times: 99, ...BUSY });
  Object.assign(databases, { group: "other" });
  Object.assign(groups, { location: SECOND.location });
  expect((await stack.up({ continueOnError: true })).code).not.toBe(0);
  here.api.clearFaults();
  const orders = Object.keys(before).find((name) => name.startsWith("orders")) ?? "";
  await here.delete(before[orders] ?? "");
  const live = await liveObjects(here);

  Object.assign(databases, { group: "default" });
  Object.assign(groups, { location: FIRST.location, deleteProtection: true });
  for (const operation of ["restoreDatabase", "updateGroupConfiguration"] as const)
    here.api.fault({ operation, times: 99, ...BUSY });
  const failed = await stack.up({ continueOnError: true });
  expect(failed.code).not.toBe(0);
  expect(failed.output).not.toContain("is already in use");
  expect(failed.output).toContain(deletionUndecided().answer);
  expect(await liveObjects(here)).toEqual(live);
  here.api.clearFaults();
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveObjects(here)).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("manages an old database that was renamed outside again, under its new name", { tags: "more" }, async () => {
  const { here, stack, given, before, pair } = await withFailedDeletions(plugin, BUSY);
  const { id } = pair("fixed");
  await here.delete(id);
  const { organizationId } = here.api;
  await here.outside.restoreDatabase({ organizationId, databaseId: id, body: { name: "renamed" } });
  Object.assign(given, FIRST);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  const { fixed: _, ...others } = before;
  expect(await liveObjects(here)).toEqual({ ...others, renamed: id });
});

test("manages the old objects again under a new logical name with an alias", { tags: "more" }, async () => {
  const here = await engineFixture();
  const given = { logical: "orders", group: "default", alias: [] as { name: string }[] };
  const stack = await here.stack(async () => {
    new plugin.Database(given.logical, { group: given.group }, { aliases: given.alias });
  });
  await stack.deploy();
  const before = await here.databases();
  here.api.fault({ operation: "deleteDatabaseById", times: 99, ...BUSY });
  given.group = "other";
  expect((await stack.up()).code).not.toBe(0);
  here.api.clearFaults();
  Object.assign(given, { logical: "sales", group: "default", alias: [{ name: "orders" }] });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await here.databases()).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test.each([
  ["`driftDetection: on-refresh`", plugin, { "dbplatform:driftDetection": "on-refresh" }],
  ["dynamic providers", dynamic as unknown as typeof plugin, {}],
] as const)(
  "keeps the old objects if the replacement is taken back, with %s",
  { tags: "more" },
  async (_, sdk, config) => {
    const { here, stack, given, failed, pair } = await withFailedDeletions(sdk, BUSY, config);
    const { old, id } = pair("orders");
    expect(failed.output).toContain(replacedIsLeft({ ...described(old), id, isRead: false }));
    Object.assign(given, FIRST);
    // With fixed names, the old objects are in the way of a third one.
    given.suffix = "-2";
    const up = await stack.up({ continueOnError: true });
    expect(up.code === 0, up.output).toBe(sdk === plugin);
    const kept = replacedIsKept({ kind: "database", ...described(old), id, isReplacing: true });
    expect(up.output).toContain(kept);
    expect(up.output).not.toContain(`${notDeleted({ ...described(old), id })}: ${kept}`);
    const live = await liveObjects(here);
    for (const logical of ["orders", "team", "inside", "ci"]) expect(Object.values(live)).toContain(pair(logical).id);
  },
);

test.each([
  ["the plugin", plugin],
  ["dynamic providers", dynamic as unknown as typeof plugin],
] as const)(
  "keeps an old database that a second resource imports, with %s",
  { tags: "more" },
  async (_, { Database }) => {
    const here = await engineFixture();
    const given = { group: "default", suffix: "", imports: {} as Objects };
    const stack = await here.stack(async () => {
      const { group, suffix, imports } = given;
      new Database("orders", { group });
      new Database("fixed", { group, name: `fixed${suffix}` });
      for (const [name, id] of Object.entries(imports))
        new Database(`${name}-again`, { name, group: "default" }, { import: id });
    });
    await stack.deploy();
    const before = await here.databases();
    here.api.fault({ operation: "deleteDatabaseById", times: 99, ...BUSY });
    Object.assign(given, { group: "other", suffix: "-2" });
    expect((await stack.up({ continueOnError: true })).code).not.toBe(0);
    here.api.clearFaults();
    given.imports = before;
    const both = await here.databases();
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(await here.databases()).toEqual(both);
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  },
);

test.each([
  ["`driftDetection: on-refresh`", plugin, { "dbplatform:driftDetection": "on-refresh" }],
  ["dynamic providers", dynamic as unknown as typeof plugin, {}],
] as const)(
  "manages a kept database again as the message advises, with %s",
  { tags: "more" },
  async (_, sdk, config) => {
    const here = await engineFixture();
    const given = { group: "default", isDeclared: true, imported: undefined as string | undefined };
    const stack = await here.stack(
      async () => {
        const { group, isDeclared, imported } = given;
        if (isDeclared) new sdk.Database("orders", { group });
        if (imported !== undefined) new sdk.Database("again", { group: "default" }, { import: imported });
      },
      { config },
    );
    await stack.deploy();
    const before = await here.databases();
    here.api.fault({ operation: "deleteDatabaseById", times: 99, ...BUSY });
    given.group = "other";
    expect((await stack.up()).code).not.toBe(0);
    here.api.clearFaults();
    given.group = "default";
    await stack.up();
    [given.imported] = Object.values(before);
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toMatchObject(before);
    given.isDeclared = false;
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual(before);
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  },
);

test.each(["plugin", "dynamic"] as const)(
  "keeps an old database with a generated name if the name that replaced it is removed, with %s",
  { tags: "more" },
  async (adapter) => {
    const here = await engineFixture();
    const { Database } = adapter === "plugin" ? plugin : (dynamic as unknown as typeof plugin);
    const given: { name?: string } = {};
    const stack = await here.stack(async () => {
      new Database("orders", { group: "default", ...given });
    });
    await stack.deploy();
    const [[old = "", id = ""] = []] = Object.entries(await here.databases());
    here.api.fault({ operation: "deleteDatabaseById", times: 99, ...BUSY });
    given.name = "orders-1";
    expect((await stack.up()).code).not.toBe(0);
    here.api.clearFaults();

    delete given.name;
    const { output } = await stack.up();
    expect(output).toContain(id);
    expect((await here.databases())[old]).toBe(id);
    expect(Object.keys(await here.databases()).sort()).toEqual(["orders-1", old].sort());
  },
);
