// @module-tag no-database-is-lost
// @module-tag clear-messages

import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { restored, restoredElsewhere, restorePlanned } from "../../kit/lifecycle/restore/messages";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { update } from "../../kit/steps/update";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
import { groupRestoredToo, WITH_DATA } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { databasesStillDeleted, WITH_DATABASES } from "../../provider/resources/group/messages";
import { apiToken } from "../../provider/resources/token/api-token";
import { clientOf } from "../engine/engine-fixture";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

/**
 * Prepares an update that restores a database together with its group. The platform completes the restore only after
 * groups have been listed `lists` times.
 */
async function restoring(lists: number) {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, { name: "orders", group: "other" }, here.context);
  const token = { name: "ci", group: "default", scopes: ["read"] };
  const minted = await create(apiToken, token, here.context);
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.deleteGroup({ organizationSlug: "acme", groupName: "other" });
  const deleted = await database.read(id, here.again().platform);
  if (deleted.status !== "deleted") throw new Error("the database was not deleted with its group");

  const wire = await faultyWire(here.api.url);
  const context = here.again({}, { baseUrl: wire.url });
  const events = new EventEmitter();
  const begun = once(events, "begun");
  const listed = once(events, "listed");
  let left = lists;
  wire.trouble = ({ operation }) => {
    if (operation !== "restoreDatabase" && operation !== "listGroups") return undefined;
    return async ({ forward, send }) => {
      if (operation === "restoreDatabase") {
        events.emit("begun");
        await listed;
      }
      const { status, text } = await forward();
      send(status, text);
      if (operation === "listGroups" && --left === 0) events.emit("listed");
    };
  };
  const args = { name: "orders", group: "other" };
  const restored = update(
    database,
    { id, oldInputs: args, state: { ...state, ...deleted.state }, news: args },
    context,
  );
  await begun;
  return { context, restored, token, minted };
}

test("waits until a group is restored before planning to move an API token to the group", async () => {
  const { context, restored, token, minted } = await restoring(2);
  const news = { ...token, group: "other" };
  const { differences } = await diff(apiToken, { ...minted, oldInputs: token, news }, context);
  expect(differences).toMatchObject([{ path: "group", replaces: true }]);
  await restored;
});

test("creates an API token only after the token's group is restored", async () => {
  const { context, restored } = await restoring(1);
  const created = await create(apiToken, { name: "new", group: "other", scopes: ["read"] }, context);
  expect(created.state).toMatchObject({ groupName: "other" });
  await restored;
});

test("restores a whole group although one of its databases is restored first, and brings back the group", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const team: Declared = { type: "Group", args: { name: "team", location: "aws-us-east-1" } };
  const inside: Declared = { type: "Database", args: { name: "inside", group: "team" } };
  const stack = new FakeEngine(dbplatform);
  await stack.up(programOf({ team, inside }), here.again());
  const live = async () => {
    const { databases } = await outside.listDatabases({ organizationSlug: "acme" });
    return databases.map(({ Name, DbId }) => `"${Name}" (${DbId})`).sort();
  };
  await outside.createDatabase({ organizationSlug: "acme", body: { name: "other", group: "team" } });
  const before = await live();
  await outside.deleteGroup({ organizationSlug: "acme", groupName: "team" });
  // The database names its group literally, so it does not wait for the group.
  const program = programOf({ inside: { ...inside, args: { name: "renamed", group: "team" } }, team });
  await stack.preview(program, here.again());
  const groupId = stack.managed.get("team")?.id ?? "";
  const insideId = stack.managed.get("inside")?.id ?? "";
  expect(here.said.splice(0)).toEqual([
    expect.stringContaining(`with these databases and their data:\n${before.join(", ")}`),
    restorePlanned({ title: 'database "inside"', id: insideId, brings: WITH_DATA }),
    groupRestoredToo({ groupName: "team", groupId, isInStack: true }),
    restorePlanned({ title: 'group "team"', id: groupId, brings: WITH_DATABASES }),
  ]);
  await stack.up(program, here.again());
  expect(here.said.at(-1)).toBe(restored({ title: 'group "team"', brings: WITH_DATABASES }));
  expect(await live()).toEqual(before.map((each) => each.replace("inside", "renamed")).sort());
});

test("warns of databases that stayed deleted when somebody else restored their group", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const args = { name: "team", location: "aws-us-east-1" };
  const { id, state } = await create(group, args, here.context);
  const [first, second] = [
    await create(database, { name: "first", group: id }, here.context),
    await create(database, { name: "second", group: id }, here.context),
  ];
  await outside.deleteGroup({ organizationSlug: "acme", groupName: "team" });
  const reading = await group.read(id, here.again().platform);
  if (reading.status !== "deleted") throw new Error("the group is not deleted");
  const deleted = { ...state, deletedAt: reading.state.deletedAt };
  await outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: first.id });
  await update(group, { id, oldInputs: args, state: deleted, news: args }, here.again());
  expect(here.said).toEqual([
    databasesStillDeleted({ name: "team", contained: [{ name: "second", id: second.id }] }),
    restoredElsewhere({ title: 'group "team"' }),
  ]);
});
