// @module-tag more
// @module-tag no-database-is-lost

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import {
  notDeleted,
  replacedIsDeletedNow,
  replacedIsKept,
  replacedIsLeft,
  replacedIsTakenBack,
  replacementStillDeleted,
} from "../../kit/lifecycle/messages";
import { CrashScene } from "./crash";
import { type EngineFixture, engineFixture } from "./engine-fixture";

type Objects = Readonly<Record<string, string>>;

const DELETIONS = ["deleteDatabaseById", "deleteGroup", "revokeApiToken"] as const;
const RESTORABLE_UNTIL = "2026-03-06T12:00:00.000Z";
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
async function withFailedDeletions({ ApiToken, Database, Group }: typeof plugin) {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const given = { ...FIRST };
  const stack = await here.stack(async () => {
    const { place: group, location, version, suffix } = given;
    new Database("orders", { group });
    new Database("fixed", { group, name: `fixed${suffix}` });
    const { id } = new Group("team", { location, forceDestroy: true });
    new Database("inside", { group: id });
    const { token } = new ApiToken("ci", { keepers: { version } });
    const { token: fixed } = new ApiToken("deploy", { name: `deploy${suffix}`, keepers: { version } });
    return { token, fixed };
  });
  await stack.deploy();
  const [before, tokens] = [await liveObjects(here), await stack.outputs()];
  for (const operation of DELETIONS) here.api.fault({ operation, times: 99, ...BUSY });
  Object.assign(given, SECOND);
  const failed = await stack.up({ continueOnError: true });
  expect(failed.code).not.toBe(0);
  here.api.clearFaults();
  const after = await liveObjects(here);
  expect(after).toMatchObject(before);
  here.takeWrites();
  const nameOf = (logical: string, objects: Objects, not: Objects = {}) =>
    Object.keys(objects).find((name) => name.startsWith(logical) && !(name in not)) ?? "";
  const pair = (logical: string) => {
    const [old, next] = [nameOf(logical, before), nameOf(logical, after, before)];
    return { old, id: before[old] ?? "", next, nextId: after[next] ?? "" };
  };
  return { here, stack, given, before, after, tokens, failed, pair };
}

test("manages the old objects again if a replacement that could not delete them is taken back", async () => {
  const { here, stack, given, before, tokens, failed, pair } = await withFailedDeletions(plugin);
  // The engine does not come to the group, because its database could not be deleted.
  for (const { old, id } of ["orders", "fixed", "inside", "ci", "deploy"].map(pair))
    expect(failed.output).toContain(replacedIsLeft({ ...described(old), id, isRead: true }));

  Object.assign(given, FIRST);
  const preview = await stack.preview();
  expect(preview.code, preview.output).toBe(0);
  for (const { old, id, next, nextId } of ["orders", "fixed", "team", "inside", "ci", "deploy"].map(pair)) {
    const managed = { title: described(next).title, id: nextId };
    const until = described(old).brings ? { restorableUntil: RESTORABLE_UNTIL } : {};
    expect(preview.output).toContain(replacedIsTakenBack({ ...described(old), id, managed, ...until }));
  }
  expect(preview.output).not.toContain("without its data");
  expect(here.takeWrites()).toEqual([]);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveObjects(here)).toEqual(before);
  expect(await stack.outputs()).toEqual(tokens);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test.each(["before an operation starts", "before a response is sent"] as const)(
  "manages the old database again after a run that was killed %s",
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

test("deletes an old database, as the preview says, once its replacement that was deleted outside is back", async () => {
  const { here, stack, pair } = await withFailedDeletions(plugin);
  const { old, id, next, nextId } = pair("orders");
  await here.deleteDatabase(nextId);
  const deletedNow = replacedIsDeletedNow({ ...described(old), id, restorableUntil: RESTORABLE_UNTIL });
  here.api.fault({ operation: "restoreDatabase", times: 99, ...BUSY });
  const failed = await stack.up({ continueOnError: true });
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain(replacementStillDeleted({ ...described(next), id: nextId }));
  expect(Object.values(await liveObjects(here))).toContain(id);
  here.api.clearFaults();
  expect((await stack.preview()).output).toContain(deletedNow);
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(up.output).toContain(deletedNow);
  const live = Object.values(await liveObjects(here));
  expect(live).toContain(nextId);
  expect(live).not.toContain(id);
});

test("manages the old objects again under a new logical name with an alias", async () => {
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

test("with dynamic providers, keeps the old objects, and manages one again as the message advises", async () => {
  const { here, stack, given, before, failed, pair } = await withFailedDeletions(dynamic as unknown as typeof plugin);
  const { old, id } = pair("orders");
  expect(failed.output).toContain(replacedIsLeft({ ...described(old), id, isRead: false }));
  // With fixed names, the old objects are in the way of a third one.
  Object.assign(given, FIRST, { suffix: "-2" });
  const up = await stack.up({ continueOnError: true });
  expect(up.code, up.output).not.toBe(0);
  const kept = replacedIsKept({ kind: "database", ...described(old), id, isReplacing: true });
  expect(up.output).toContain(kept);
  expect(up.output).not.toContain(`${notDeleted({ ...described(old), id })}: ${kept}`);
  const live = Object.values(await liveObjects(here));
  for (const logical of ["orders", "team", "inside", "ci"]) expect(live).toContain(pair(logical).id);

  stack.program = async () => {
    new dynamic.Database("again", { name: old, group: "default" }, { import: id });
  };
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toMatchObject({ [old]: before[old] });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("with dynamic providers, keeps an old database with a generated name if the name that replaced it is removed", async () => {
  const here = await engineFixture();
  const given: { name?: string } = {};
  const stack = await here.stack(async () => {
    new dynamic.Database("orders", { group: "default", ...given });
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
});
