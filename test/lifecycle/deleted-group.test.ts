// @module-tag previews-are-true

import { describe, expect, test } from "vitest";
import { deletionMessage, restored, restoredElsewhere, restorePlanned } from "../../kit/lifecycle/restore/messages";
import { create } from "../../kit/steps/create";
import { update } from "../../kit/steps/update";
import { authorName } from "../../provider/client/messages";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
import { groupRestoredToo, WITH_DATA } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { databasesStillDeleted, THESE_DATABASES, WITH_DATABASES } from "../../provider/resources/group/messages";
import { restorableObject } from "../../provider/resources/restoration";
import { clientOf } from "../engine/engine-fixture";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

const organizationSlug = "acme";

test("reports each deleted group with its own databases and location", async () => {
  const { api, context, again } = await lifecycleFixture();
  const outside = clientOf(api, api.apiToken);
  const made = [];
  for (const [name, location] of [
    ["east", "aws-us-east-1"],
    ["west", "aws-us-west-2"],
    ["empty", "aws-eu-west-1"],
  ] as const) {
    const { id, state } = await create(group, { name, location }, context);
    const inside = name === "empty" ? undefined : await create(database, { name: `in-${name}`, group: name }, context);
    made.push({ id, state, inside, location });
  }
  for (const { state } of made) await outside.deleteGroup({ organizationSlug, groupName: String(state.name) });

  for (const { id, state, inside, location } of made) {
    const reading = await group.read(id, again().platform, { known: { name: state.name } });
    expect(reading.status).toBe("deleted");
    const { message, state: deleted } = reading as { message: string; state: Record<string, unknown> };
    const databases = inside ? [{ name: `in-${state.name}`, id: inside.id }] : [];
    const deletion = {
      ...restorableObject(id, String(deleted.deletedAt)),
      by: authorName({ by: { author: "ada", origin: "api" } }),
      contents: { what: THESE_DATABASES, objects: databases },
    };
    expect(message).toBe(deletionMessage({ title: `group "${state.name}"`, id, brings: WITH_DATABASES, deletion }));
    if (inside) expect(deleted).toMatchObject({ location });
  }
});

test("names only the databases of the group's last deletion, because the others do not return with the group", async () => {
  const { api, context, again } = await lifecycleFixture();
  const outside = clientOf(api, api.apiToken);
  const { id } = await create(group, { name: "shop", location: "aws-us-east-1" }, context);
  const carts = await create(database, { name: "carts", group: "shop" }, context);
  await create(database, { name: "sessions", group: "shop" }, context);
  await outside.deleteGroup({ organizationSlug, groupName: "shop" });
  await outside.restoreDatabase({ organizationId: api.organizationId, databaseId: carts.id, body: {} });
  await api.advance(60);
  await outside.deleteGroup({ organizationSlug, groupName: "shop" });

  const reading = await group.read(id, again().platform);
  if (reading.status !== "deleted") throw new Error("the group is not deleted");
  expect(reading.message).toContain(carts.id);
  expect(reading.message).not.toContain("sessions");
  await outside.restoreGroup({ organizationId: api.organizationId, groupId: id });
  const { databases } = await outside.listDatabases({ organizationSlug, query: { group: "shop" } });
  expect(databases.map(({ Name }) => Name)).toEqual(["carts"]);
});

describe("a group that was restored with one database and deleted again", () => {
  const shop: Declared = { type: "Group", args: { name: "shop", location: "aws-us-east-1" } };
  const inShop = (name: string): Declared => ({
    type: "Database",
    args: { name, group: { of: "shop", output: "id" } },
  });
  const whole = programOf({ shop, carts: inShop("carts"), sessions: inShop("sessions") });

  /** Both deletions delete "carts", but only the first one deletes "sessions". */
  async function deletedTwice() {
    const here = await lifecycleFixture();
    const outside = clientOf(here.api, here.api.apiToken);
    const stack = new FakeEngine(dbplatform);
    await stack.up(whole, here.again());
    const idOf = (slot: string) => stack.managed.get(slot)?.id ?? "";
    const ids = { shop: idOf("shop"), carts: idOf("carts"), sessions: idOf("sessions") };
    const restore = (databaseId: string) =>
      outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId, body: {} });
    await outside.deleteGroup({ organizationSlug, groupName: "shop" });
    await restore(ids.carts);
    await here.api.advance(60);
    await outside.deleteGroup({ organizationSlug, groupName: "shop" });
    const live = async () => {
      const { databases } = await outside.listDatabases({ organizationSlug, query: { group: "shop" } });
      return databases.map(({ DbId }) => DbId).sort();
    };
    return { here, stack, ids, restore, live };
  }

  test("leaves the name of the database that stays deleted to a new one", async () => {
    const { here, ids, live } = await deletedTwice();
    const stack = new FakeEngine(dbplatform);
    const program = programOf({ shop: { ...shop, import: ids.shop }, sessions: inShop("sessions") });
    await stack.preview(program, here.again());
    expect(here.said.at(-1)).toContain(`A new, empty database`);
    await stack.up(program, here.again());
    expect(await live()).toEqual([ids.carts, stack.managed.get("sessions")?.id].sort());
  });

  test("announces the restoration of the database that does not return with the group", async () => {
    const { here, stack, ids, live } = await deletedTwice();
    await stack.preview(whole, here.again());
    const title = 'database "sessions"';
    expect(here.said).toContain(restorePlanned({ title, id: ids.sessions, brings: WITH_DATA }));
    expect(here.said).toContainEqual(expect.stringMatching(`^Database "sessions" was deleted by ada`));
    await stack.up(whole, here.again());
    expect(here.said).toContain(restored({ title, brings: WITH_DATA }));
    expect(await live()).toEqual([ids.carts, ids.sessions].sort());
  });

  describe("and that somebody else has restored then", () => {
    async function updated(restored: "carts" | "sessions", seen: { readonly earlier: boolean }) {
      const { here, stack, ids, live, restore } = await deletedTwice();
      const reading = await group.read(ids.shop, here.again().platform, { known: { name: "shop" } });
      if (reading.status !== "deleted") throw new Error("the group is not deleted");
      await restore(ids[restored]);
      here.said.length = 0;
      const first = new Date(Date.parse(`${reading.state.deletedAt}`) - 60_000).toISOString();
      const { deletedAt, restorableUntil } = restorableObject(ids.shop, first);
      const state = {
        ...stack.managed.get("shop")?.outputs,
        ...reading.state,
        ...(seen.earlier && { deletedAt, restorableUntil }),
      };
      await update(group, { id: ids.shop, oldInputs: shop.args, state, news: shop.args }, here.again());
      expect(await live()).toEqual([ids[restored]]);
      return { said: here.said, ids };
    }

    test("does not name the database that only the first deletion has deleted", async () => {
      const { said } = await updated("carts", { earlier: false });
      expect(said).toEqual([restoredElsewhere({ title: 'group "shop"' })]);
    });

    test("names the database that stays deleted, even if the state knows only the first deletion", async () => {
      const { said, ids } = await updated("sessions", { earlier: true });
      const contained = [{ name: "carts", id: ids.carts }];
      expect(said).toContain(databasesStillDeleted({ name: "shop", contained }));
    });
  });
});

test.each(["this stack", "another stack"])(
  "reports a database that stayed deleted although its group, which %s manages, is live again",
  async (manager) => {
    const { api, said, again } = await lifecycleFixture();
    const outside = clientOf(api, api.apiToken);
    const { group: tenants } = await outside.createGroup({
      organizationSlug,
      body: { name: "tenants", location: "aws-us-east-1" },
    });
    const inGroup = (name: string): Declared => ({ type: "Database", args: { name, group: tenants.uuid } });
    const declared = { type: "Group", args: { name: "tenants", location: "aws-us-east-1" }, import: tenants.uuid };
    const program = programOf({
      ...(manager === "this stack" ? { tenants: declared } : {}),
      first: inGroup("first"),
      second: inGroup("second"),
    });
    const stack = new FakeEngine(dbplatform);
    await stack.up(program, again());
    const databaseId = stack.managed.get("first")?.id ?? "";
    await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
    await outside.restoreDatabase({ organizationId: api.organizationId, databaseId });
    await outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "renamed" } });
    said.length = 0;
    expect(await stack.preview(program, again())).toBe(manager === "this stack" ? 2 : 1);
    expect(said.filter((text) => text.startsWith('Database "second" was deleted by ada'))).toHaveLength(1);
    for (const name of ["tenants", "renamed"])
      expect(said).not.toContain(
        groupRestoredToo({ groupName: name, groupId: tenants.uuid, isInStack: manager === "this stack" }),
      );
  },
);
