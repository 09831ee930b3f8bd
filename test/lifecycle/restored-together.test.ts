// @module-tag no-database-is-lost
// @module-tag clear-messages

import { expect, test } from "vitest";
import { restoredElsewhere } from "../../kit/lifecycle/restore/messages";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { update } from "../../kit/steps/update";
import type { Operation } from "../../platform/contract/api";
import { database } from "../../provider/resources/database/database";
import { databasesStillDeleted } from "../../provider/resources/group/messages";
import { apiToken } from "../../provider/resources/token/api-token";
import { clientOf, engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { aDatabaseNamed, aGroup, type Declarations } from "../stories/declarations";
import { organizationSlug } from "../stories/outside";
import { NOON } from "../stories/story";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./scenario-fixture";

/** Begins an update that restores a database together with its group, which takes the platform a while. */
async function restoring() {
  const here = await lifecycleFixture();
  const args = { name: "orders", group: "other" };
  const { id, state } = await create(database, args, here.context);
  const token = { name: "ci", group: "default", scopes: ["read"] };
  const minted = await create(apiToken, token, here.context);
  await clientOf(here.api, here.api.apiToken).deleteGroup({ organizationSlug, groupName: "other" });
  const context = here.newProcess();
  const deleted = await database.read(id, context.platform);
  if (deleted.status !== "deleted") throw new Error("the database was not deleted with its group");
  here.api.fault({ operation: "restoreDatabase", latency: 200 });
  const restored = update(
    database,
    { id, oldInputs: args, state: { ...state, ...deleted.state }, news: args },
    context,
  );
  return { context, restored, token, minted };
}

test("waits until a group is restored before planning to move an API token to the group", async () => {
  const { context, restored, token, minted } = await restoring();
  const news = { ...token, group: "other" };
  const { differences } = await diff(apiToken, { ...minted, oldInputs: token, news }, context);
  expect(differences).toMatchObject([{ path: "group", replaces: true }]);
  await restored;
});

test("creates an API token only after the token's group is restored", async () => {
  const { context, restored } = await restoring();
  const created = await create(apiToken, { name: "new", group: "other", scopes: ["read"] }, context);
  expect(created.state).toMatchObject({ groupName: "other" });
  await restored;
});

const shop = aGroup({ name: "shop", location: "aws-us-east-1" });

/** Opens a stack of a group with two databases of nobody's. In an update, somebody may do something before a request. */
async function sharedGroup(program: Declarations) {
  const here = await engineFixture({ now: NOON });
  const wire = await faultyWire(here.api.url);
  const stack = fakeStack({ api: here.api, baseUrl: wire.url });
  await stack.run(programOf(program), { preview: false });
  const { organizationId } = here.api;
  const groupId = (await stack.managed()).get("shop")?.id ?? "";
  const [carts, sessions] = [await here.createDatabase("carts", "shop"), await here.createDatabase("sessions", "shop")];
  const deleteShop = () => here.outside.deleteGroup({ organizationSlug, groupName: "shop" });
  const restore = (databaseId: string) => here.outside.restoreDatabase({ organizationId, databaseId, body: {} });
  return {
    ...{ carts, sessions, deleteShop, restore },
    restoreShop: () => here.outside.restoreGroup({ organizationId, groupId }),
    async deleteTwice() {
      await deleteShop();
      await restore(carts);
      await here.api.advance(60);
      await deleteShop();
    },
    /** @param at Number of the request of this operation, from 0. */
    up(wished: Declarations, { operation, at = 0, meanwhile }: Meanwhile) {
      let left = at;
      wire.trouble = (asked) => {
        if (asked.operation !== operation || left-- !== 0) return undefined;
        return async ({ forward, send }) => {
          await meanwhile();
          const { status, text } = await forward();
          send(status, text);
        };
      };
      return stack.run(programOf(wished), { preview: false });
    },
  };
}

interface Meanwhile {
  readonly operation: Operation;
  readonly at?: number;
  readonly meanwhile: () => Promise<unknown>;
}

const elsewhere = restoredElsewhere({ title: 'group "shop"' });
const stayed = (name: string, id: string) => databasesStillDeleted({ name: "shop", contained: [{ name, id }] });

test("warns of a database that stayed deleted when somebody else restored its group", async () => {
  const { carts, sessions, deleteShop, restore, up } = await sharedGroup({ shop });
  await deleteShop();
  const { said } = await up({ shop }, { operation: "restoreGroup", meanwhile: () => restore(carts) });
  expect(said.slice(1)).toEqual([stayed("sessions", sessions), elsewhere]);
});

test("does not warn of a database that only an earlier deletion of its group has deleted", async () => {
  const { carts, deleteTwice, restore, up } = await sharedGroup({ shop });
  await deleteTwice();
  const { said } = await up({ shop }, { operation: "restoreGroup", meanwhile: () => restore(carts) });
  expect(said.slice(1)).toEqual([elsewhere]);
});

test("warns of a database that stayed deleted, even if the update has seen only an earlier deletion", async () => {
  const { carts, sessions, deleteShop, restore, restoreShop, deleteTwice, up } = await sharedGroup({ shop });
  await deleteShop();
  const meanwhile = async () => {
    await restoreShop();
    await deleteTwice();
    await restore(sessions);
  };
  const { said } = await up({ shop }, { operation: "restoreGroup", meanwhile });
  expect(said.slice(1)).toEqual([stayed("carts", carts), elsewhere]);
});

test("says why a database may not move even if its group is restored at the same time", async () => {
  const { deleteShop, restoreShop, up } = await sharedGroup({ shop, orders: aDatabaseNamed("orders", "shop") });
  await deleteShop();
  const restoring: Meanwhile = { operation: "listDeletedDatabases", at: 1, meanwhile: restoreShop };
  expect((await up({ orders: aDatabaseNamed("orders") }, restoring)).failure).toContain("it was deleted with group");
});
