// @module-tag clear-messages

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import { readImported } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { nameInsteadOfId } from "../../provider/resources/messages";
import { restorableObject } from "../../provider/resources/restoration";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

async function buried(here: LifecycleFixture): Promise<{ id: string; deletedAt: string }> {
  const organizationId = here.api.organizationId;
  const { database: made } = await outside(here).createDatabase({
    organizationSlug,
    body: { name: "orders", group: "default" },
  });
  await outside(here).deleteDatabaseById({ organizationId, databaseId: made.DbId });
  const query = { deleted: "true" as const };
  const { databases } = await outside(here).listDeletedDatabases({ organizationId, query });
  return { id: made.DbId, deletedAt: databases.find(({ DbId }) => DbId === made.DbId)?.deleted_at ?? "" };
}

async function refusalOf(resource: AnyResource, name: string, here: LifecycleFixture): Promise<string> {
  const thrown = await readImported(resource, name, here.again()).catch((failure) => failure);
  return (thrown as Error).message;
}

const orders = { kind: "database", idName: "DbId", name: "orders" } as const;

test("if the import id is a name, lists all deleted databases with that name, latest first", async () => {
  const here = await lifecycleFixture();
  const first = await buried(here);
  await here.api.advance(3600);
  const second = await buried(here);
  const namesakes = [second, first].map(({ id, deletedAt }) => restorableObject(id, deletedAt));
  expect(await refusalOf(database, "orders", here)).toBe(nameInsteadOfId({ ...orders, namesakes }));
  const { database: live } = await outside(here).createDatabase({
    organizationSlug,
    body: { name: "orders", group: "default" },
  });
  expect(await refusalOf(database, "orders", here)).toBe(nameInsteadOfId({ ...orders, live: live.DbId, namesakes }));
  // No live or deleted database is named exactly "order", so the error lists no databases.
  expect(await refusalOf(database, "order", here)).toBe(nameInsteadOfId({ ...orders, name: "order", namesakes: [] }));
});

test("if the import id is a name, lists all deleted groups with that name", async () => {
  const here = await lifecycleFixture();
  const ids: string[] = [];
  for (let count = 0; count < 2; count++) {
    const body = { name: "tenants", location: "aws-us-east-1" };
    ids.unshift((await outside(here).createGroup({ organizationSlug, body })).group.uuid);
    await outside(here).deleteGroup({ organizationSlug, groupName: "tenants" });
    await here.api.advance(3600);
  }
  const refused = await refusalOf(group, "tenants", here);
  expect(refused.match(/`import: "[^"]*"`/g)).toEqual(ids.map((id) => `\`import: "${id}"\``));
});

test("searches only live databases for the name if the credential cannot list deleted databases", async () => {
  const here = await lifecycleFixture();
  await buried(here);
  here.api.fault({ operation: "listDeletedDatabases", status: 403, body: { error: "not for you" } });
  expect(await refusalOf(database, "orders", here)).toBe(nameInsteadOfId(orders));
});

test("does not claim that a name is free if the credential sees only one group", async () => {
  const here = await lifecycleFixture();
  const body = { name: "tenants", location: "aws-us-east-1" };
  const { uuid: pinnedTo } = (await outside(here).createGroup({ organizationSlug, body })).group;
  await outside(here).createDatabase({ organizationSlug, body: { name: "orders", group: "default" } });
  const { organizationId, url: baseUrl } = here.api;
  const apiToken = await here.api.token({ group: "tenants", scopes: ["full-access"] });
  const pinned = await lifecycleFixture({ settings: { apiToken, organizationId, baseUrl } });
  expect(await refusalOf(database, "orders", pinned)).toBe(nameInsteadOfId({ ...orders, namesakes: [], pinnedTo }));
  const named = { kind: "group", idName: "UUID", name: "default", pinnedTo } as const;
  expect(await refusalOf(group, "default", pinned)).toBe(nameInsteadOfId(named));
});
