// @module-tag all-drift-is-shown

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import {
  forbiddenList,
  IN_NO_STACK,
  incompleteList,
  NOTHING_DELETED,
  restorableBriefly,
  restoredWithGroup,
  restoringRefused,
  unlistedTypes,
} from "../../provider/adopt/messages";
import { UNREADABLE_ORGANIZATION } from "../../provider/client/messages";
import { planHidesDeleted, recoveryDisabledIn } from "../../provider/resources/messages";
import { clientOf, environmentOf } from "../engine/engine-fixture";
import { adopt } from "./organization";

const HOUR = 3_600;

const at = { organizationSlug: "acme" };

async function organization(plan: "starter" | "scaler" = "scaler"): Promise<ReferenceApi> {
  const api = await startReferenceApi({
    seed: {
      users: [{ username: "ada" }, { username: "max" }],
      organizations: [
        {
          slug: "acme",
          plan,
          members: [
            { username: "ada", role: "owner" },
            { username: "max", role: "admin" },
          ],
          groups: [{ name: "default" }, { name: "shop" }],
          databases: [
            { name: "orders" },
            { name: "stray" },
            { name: "carts", group: "shop" },
            { name: "sessions", group: "shop" },
          ],
        },
      ],
    },
  });
  onTestFinished(() => api.close());
  return api;
}

const deleted = (api: ReferenceApi, args: readonly string[] = [], apiToken = api.apiToken) =>
  adopt({ ...environmentOf(api, "acme", apiToken), DBPLATFORM_ORGANIZATION_ID: api.organizationId }, [
    "--deleted",
    ...args,
  ]);

interface Deleted {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent?: string;
  readonly deletedAt: string;
  readonly deletedBy?: string;
  readonly restorableUntil: string;
  readonly secondsLeft: number;
  readonly restoredWith?: string;
  readonly stacks?: readonly string[];
}

async function listed(api: ReferenceApi, args: readonly string[] = []): Promise<Deleted[]> {
  const { code, stdout, stderr } = await deleted(api, ["--json", ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).deleted;
}

/**
 * Deletes two databases one after another, and 24 hours later a group with its two databases. When this
 * function returns, `orders` can be restored for almost 28 hours, and the group for almost 52 hours.
 */
async function deletedInTurn(api: ReferenceApi): Promise<void> {
  const [ada, max] = [clientOf(api, api.apiToken), clientOf(api, await api.token({ user: "max" }))];
  await max.deleteDatabase({ ...at, databaseName: "orders" });
  await api.advance(HOUR);
  await ada.deleteDatabase({ ...at, databaseName: "stray" });
  await api.advance(23 * HOUR);
  await ada.deleteGroup({ ...at, groupName: "shop" });
  // The extra minute keeps the displayed number of hours from changing while a test runs.
  await api.advance(68 * HOUR + 60);
}

/** Writes the state of a stack to a file, and returns its path. @param resources Resource types, by id. */
function state(stack: string, resources: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-adopt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "state.json");
  const recorded = Object.entries(resources).map(([id, type]) => {
    const token = `dbplatform:index:${type}`;
    return { urn: `urn:pulumi:${stack}::shop::${token}::x`, type: token, id };
  });
  writeFileSync(path, JSON.stringify({ deployment: { resources: recorded } }));
  return path;
}

test("shows how long each deleted object can be restored, who deleted it, and which stacks manage it", async () => {
  const api = await organization();
  await deletedInTurn(api);
  const before = api.journal().length;
  const all = await listed(api);
  expect(all.map(({ name, secondsLeft }) => [name, Math.round(secondsLeft / HOUR)])).toEqual([
    ["orders", 28],
    ["stray", 29],
    ["shop", 52],
    ["carts", 52],
    ["sessions", 52],
  ]);
  expect(all.map(({ deletedBy }) => deletedBy)).toEqual(["max", "ada", "ada", "ada", "ada"]);
  const [orders, stray, shop, carts] = all as [Deleted, Deleted, Deleted, Deleted];
  expect(shop).toMatchObject({ type: "dbplatform:index:Group" });
  expect(carts).toMatchObject({ type: "dbplatform:index:Database", parent: shop.id, restoredWith: shop.id });
  expect(orders).not.toHaveProperty("restoredWith");
  expect(orders).not.toHaveProperty("stacks");
  expect(Date.parse(orders.restorableUntil) - Date.parse(orders.deletedAt)).toBe(120 * HOUR * 1000);

  const states = [
    state("dev", { [orders.id]: "Database" }),
    state("prod", { [orders.id]: "Database", [shop.id]: "Group", [stray.id]: "Group" }),
  ];
  const stacks = (await listed(api, states)).map((each) => each.stacks);
  expect(stacks).toEqual([["shop/dev", "shop/prod"], [], ["shop/prod"], [], []]);
  expect((await listed(api, ["--group", "shop"])).map(({ name }) => name)).toEqual(["shop", "carts", "sessions"]);
  expect(await listed(api, ["--group", "default", "--name", "s*"])).toMatchObject([{ name: "stray" }]);

  const { stdout } = await deleted(api, states);
  const lines = stdout.split("\n").map((line) => line.split(/ {2,}/));
  const [heading, ...rows] = lines.map(([type, name, , group, , by, , hours, stack]) =>
    [type, name, group, by, hours, stack].join(" | "),
  );
  expect(heading).toBe("TYPE | NAME | GROUP | DELETED BY | HOURS LEFT | STACK");
  expect(rows[0]).toMatch(/^Database \| orders \| default \| max \| 27 \| shop\/dev, shop\/prod$/);
  expect(rows[3]).toMatch(new RegExp(`^Database \\| carts \\| shop \\(.*\\) \\| ada \\| 51 \\| ${IN_NO_STACK}$`));
  expect(stdout).toContain(restoredWithGroup({ group: "shop" }));
  expect(
    api
      .journal()
      .slice(before)
      .filter(({ method }) => method !== "GET"),
  ).toEqual([]);
});

test("offers a group's restore for the databases that its last deletion deleted, not for earlier ones", async () => {
  const api = await organization();
  const ada = clientOf(api, api.apiToken);
  const { databases } = await ada.listDatabases({ ...at, query: { group: "shop" } });
  const carts = databases.find(({ Name }) => Name === "carts")?.DbId ?? "";
  await ada.deleteGroup({ ...at, groupName: "shop" });
  await ada.restoreDatabase({ organizationId: api.organizationId, databaseId: carts, body: {} });
  await api.advance(HOUR);
  await ada.deleteGroup({ ...at, groupName: "shop" });
  for (const args of [[], ["--type", "Database"]]) {
    const things = (await listed(api, args)).filter(({ type }) => type.endsWith(":Database"));
    expect(things.map(({ name, restoredWith }) => [name, restoredWith !== undefined])).toEqual([
      ["sessions", false],
      ["carts", true],
    ]);
  }
});

test("exits with code 7 if an object's restore deadline is near, and says how to restore the object", async () => {
  const api = await organization();
  await deletedInTurn(api);
  expect(await deleted(api, ["--fail-within", "27h"])).toMatchObject({ code: 0, stderr: "" });
  const [orders, stray, shop] = (await listed(api)) as [Deleted, Deleted, Deleted];
  const sentences = (objects: readonly Deleted[], stacks?: readonly string[]) =>
    objects
      .map((object) => `${restorableBriefly({ ...object, type: object.type.split(":")[2] ?? "", stacks })}\n`)
      .join("");
  const first = await deleted(api, ["--fail-within", "28h", "--json"]);
  expect(first).toMatchObject({ code: 7, stderr: sentences([orders]) });
  expect(JSON.parse(first.stdout).deleted).toHaveLength(5);
  const states = state(
    "prod",
    Object.fromEntries([orders, stray, shop].map(({ id, type }) => [id, type.split(":")[2] ?? ""])),
  );
  const every = await deleted(api, ["--fail-within", "3d", states]);
  expect(every).toMatchObject({ code: 7, stderr: sentences([orders, stray, shop], ["shop/prod"]) });
  await api.advance(30 * HOUR);
  const last = await deleted(api, ["--fail-within", "3d"]);
  expect(last.stderr.split("\n").filter(Boolean)).toHaveLength(1);
});

test("with a group-scoped token, lists only databases, and exits with code 1 if asked to check groups", async () => {
  const api = await organization();
  await deletedInTurn(api);
  const apiToken = await api.token({ group: "default", scopes: ["read"] });
  const unseen = unlistedTypes({
    types: ["Group"],
    reason: forbiddenList({ cause: "could not list deleted groups" }),
  }).replace(/\)?\.?$/, "");
  const list = await deleted(api, [], apiToken);
  expect(list).toMatchObject({ code: 0, stderr: expect.stringContaining(unseen) });
  expect(list.stdout.split("\n").map((line) => line.split(/ {2,}/)[1])).toEqual(["NAME", "orders", "stray", undefined]);
  const job = await deleted(api, ["--fail-within", "24h"], apiToken);
  expect(job).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(incompleteList({ types: ["Group"], canListOthers: true })),
  });
  expect(await deleted(api, ["--fail-within", "24h", "--type", "Database"], apiToken)).toMatchObject({ code: 0 });
  expect(await deleted(api, ["--fail-within", "28h", "--type", "Database"], apiToken)).toMatchObject({ code: 7 });
});

test("with --fail-within on the free plan, exits with code 1, because deleted objects cannot be listed", async () => {
  const job = await deleted(await organization("starter"), ["--fail-within", "24h"]);
  expect(job.code).toBe(1);
  expect(job.stderr.split("\n")).toEqual([
    unlistedTypes({ types: ["Group", "Database"], reason: planHidesDeleted({ organization: "acme" }) }),
    incompleteList({ types: ["Group", "Database"], canListOthers: false }),
    "",
  ]);
});

test("reports that there are no deleted objects, or that recovery is disabled", async () => {
  const api = await organization();
  expect(await deleted(api)).toEqual({ code: 0, stdout: `${NOTHING_DELETED}\n`, stderr: "" });
  const ada = clientOf(api, api.apiToken);
  await ada.deleteDatabase({ ...at, databaseName: "orders" });
  await ada.updateOrganization({ ...at, body: { restore_enabled: false } });
  const stderr = `${restoringRefused({ reason: recoveryDisabledIn({ organization: "acme" }) })}\n`;
  expect(await deleted(api)).toMatchObject({ code: 0, stderr });
  expect(await deleted(api, ["--fail-within", "1h"])).toMatchObject({ code: 7, stderr });
});

test("with a group-scoped token, fails if the UUID of the organization is not set", async () => {
  const api = await organization();
  const apiToken = await api.token({ group: "default", scopes: ["read"] });
  const { code, stdout, stderr } = await adopt(environmentOf(api, "acme", apiToken), ["--deleted"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(UNREADABLE_ORGANIZATION.answer);
  expect(stderr).toContain("DBPLATFORM_ORGANIZATION_ID");
});
