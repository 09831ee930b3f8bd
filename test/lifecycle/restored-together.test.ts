import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { diff } from "../../provider/lifecycle/diff";
import { update } from "../../provider/lifecycle/update";
import { database } from "../../provider/resources/database/database";
import { apiToken } from "../../provider/resources/token/api-token";
import { clientOf } from "../engine/engine-fixture";
import { faultyWire } from "./faulty-wire";
import { lifecycleFixture } from "./lifecycle-fixture";

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
  const deleted = await database.read(id, undefined, "platform", here.again().platform);
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

// Promise: No database is lost
test("waits until a group is restored before planning to move an API token to the group", async () => {
  const { context, restored, token, minted } = await restoring(2);
  const news = { ...token, group: "other" };
  const { differences } = await diff(apiToken, { ...minted, oldInputs: token, news }, context);
  expect(differences).toMatchObject([{ property: "group", replaces: true }]);
  await restored;
});

// Promise: No database is lost
test("creates an API token only after the token's group is restored", async () => {
  const { context, restored } = await restoring(1);
  const created = await create(apiToken, { name: "new", group: "other", scopes: ["read"] }, context);
  expect(created.state).toMatchObject({ groupName: "other" });
  await restored;
});
