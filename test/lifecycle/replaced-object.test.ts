import { expect, test } from "vitest";
import { FILLED_IN } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

const organizationSlug = "acme";

/** Reads the objects as the engine does before an update whose program declares the resource. */
async function declared(
  objects: readonly ManagedResource[],
  news: ManagedResource["inputs"],
  context: Parameters<typeof create>[2],
) {
  context.run.readsFirst = true;
  for (const { resource, ...managed } of objects) await readManaged(resource, managed, context);
  context.run.note({ step: "check", urn: "urn", inputs: news });
}

test("leaves what `ignoreChanges` covers as it is when a replacement is taken back", async () => {
  const here = await lifecycleFixture();
  const east = { name: "team-0", location: "aws-us-east-1", deleteProtection: false };
  const west = { ...east, name: "team-1", location: "aws-eu-west-1" };
  const [old, next] = [await made(group, east, here.context), await made(group, west, here.again())];
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.updateGroupConfiguration({
    organizationSlug,
    groupName: "team-0",
    body: { delete_protection: true },
  });

  const context = here.again();
  await declared([old, next], east, context);
  const ignored = new Set(["deleteProtection"]);
  await diff(group, { id: next.id, oldInputs: next.inputs, state: next.state, news: east, ignored }, context);
  expect(await create(group, east, context)).toMatchObject({ id: old.id, state: { deleteProtection: true } });
  const { groups } = await outside.listGroups({ organizationSlug });
  expect(groups.find(({ uuid }) => uuid === old.id)).toMatchObject({ delete_protection: true });
});

test("replaces the current object if the user asks for it, although an earlier one still exists", async () => {
  const here = await lifecycleFixture();
  const news = { name: "orders-3", group: "default", [FILLED_IN]: ["name"] };
  const old = await made(database, { ...news, name: "orders-1", group: "other" }, here.context);
  const current = await made(database, { ...news, name: "orders-2" }, here.again());

  const context = here.again();
  await declared([old, current], news, context);
  // With `--target-replace`, the engine does not call Diff.
  await create(database, news, context);
  here.said.length = 0;
  await remove(database, current, context);
  expect(here.said).toEqual([]);
  expect(await database.read(current.id, context.platform)).toMatchObject({ status: "deleted" });
});
