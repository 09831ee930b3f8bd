// @module-tag nothing-is-created-twice-or-adopted
// @module-tag tokens
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Sides } from "../../kit/lifecycle/comparison";
import type { Properties } from "../../kit/lifecycle/properties";
import { nameOfAnother, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { objectNotFound } from "../../provider/resources/messages";
import { apiToken } from "../../provider/resources/token/api-token";
import { databaseToken } from "../../provider/resources/token/database-token";
import { groupToken } from "../../provider/resources/token/group-token";
import { apiTokenNotFound, groupLost, revokedOrGroupLost } from "../../provider/resources/token/messages";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const FIVE_DAYS_S = 5 * 86_400;

interface Made {
  readonly resource: AnyResource;
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

async function made(resource: AnyResource, inputs: Properties, here: LifecycleFixture): Promise<Made> {
  return { resource, inputs, ...(await create(resource, inputs, here.context)) };
}

async function told({ resource, ...managed }: Made, here: LifecycleFixture): Promise<string> {
  const before = here.said.length;
  await readManaged(resource, managed, here.again());
  return here.said.slice(before).join(" ");
}

test("configures a database that was restored under a new name, even if its old name is in use again", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const { organizationId } = here.api;
  const orders = await made(database, { name: "orders", group: "default" }, here);
  const configuration = await made(databaseConfiguration, { database: orders.id, blockReads: false }, here);
  await outside.deleteDatabaseById({ organizationId, databaseId: orders.id });
  await outside.restoreDatabase({ organizationId, databaseId: orders.id, body: { name: "renamed" } });
  await outside.createDatabase({ organizationSlug, body: { name: "orders", group: "default" } });

  const run = here.again();
  const refreshed = await readManaged(database, orders, run);
  const compared: Sides = {
    ...orders,
    oldInputs: orders.inputs,
    news: orders.inputs,
    state: refreshed?.state ?? {},
  };
  expect((await diff(database, compared, run)).differences).toMatchObject([{ path: "name", replaces: false }]);
  await update(database, compared, run);
  const wish = { database: orders.id, blockReads: true };
  await update(databaseConfiguration, { ...configuration, oldInputs: configuration.inputs, news: wish }, run);
  const blocks = async (databaseName: string) =>
    (await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName })).block_reads;
  expect(await blocks("orders")).toBe(false);
  expect(await blocks("renamed")).toBe(true);
});

test("each dependent resource reports that its database was recreated outside Pulumi with a new id", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const orders = await made(database, { name: "orders", group: "default" }, here);
  const hanging = [
    orders,
    await made(databaseConfiguration, { database: orders.id, blockReads: true }, here),
    await made(databaseToken, { database: orders.id }, here),
    await made(signingKeyRotation, { database: orders.id, triggers: { a: "1" } }, here),
  ];
  await outside.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: orders.id });
  for (const one of hanging.slice(1)) expect(await told(one, here), one.resource.type).toBe("");
  const { database: anew } = await outside.createDatabase({
    organizationSlug,
    body: { name: "orders", group: "default" },
  });
  for (const one of hanging) {
    const said = await told(one, here);
    expect(said, one.resource.type).toContain(anew.DbId);
    expect(said, one.resource.type).toContain(orders.id);
  }
  // No configuration was applied to the new database.
  const configuration = await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName: "orders" });
  expect(configuration).toMatchObject({ block_reads: false });
});

test("each dependent resource reports that its group was recreated outside Pulumi with a new id", async () => {
  const here = await lifecycleFixture({}, { now: "2026-03-01T12:00:00Z" });
  const outside = clientOf(here.api, here.api.apiToken);
  const tenants = await made(group, { name: "tenants", location: "aws-us-east-1" }, here);
  const inside = await made(database, { name: "inside", group: tenants.id }, here);
  const byName = await made(apiToken, { name: "by-name", group: "tenants", scopes: ["read"] }, here);
  const hanging = [
    tenants,
    await made(groupToken, { group: "tenants" }, here),
    await made(signingKeyRotation, { group: tenants.id, triggers: { a: "1" } }, here),
  ];
  await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  expect(await told(byName, here)).toContain(groupLost({ groupName: "tenants", groupId: tenants.id }));
  const { group: anew } = await outside.createGroup({
    organizationSlug,
    body: { name: "tenants", location: "aws-us-east-1" },
  });
  const [another = ""] = nameOfAnother({ kind: "group", name: "tenants", id: anew.uuid, own: tenants.id }).split(
    ", and no longer",
  );
  for (const one of hanging) expect(await told(one, here), one.resource.type).toContain(another);
  expect(await told(byName, here)).toContain(
    groupLost({ groupName: "tenants", groupId: tenants.id, successor: anew.uuid }),
  );
  expect(await told(inside, here)).toContain('Database "inside" was deleted by ada (API) on');

  await here.api.advance(FIVE_DAYS_S + 1);
  for (const one of hanging) expect(await told(one, here), one.resource.type).toContain(anew.uuid);
  const lost = (kind: "database" | "group", id: string) =>
    objectNotFound({ kind, id, organization: "acme", isKnown: true });
  expect(await told(inside, here)).toContain(
    noLongerExists({ title: 'database "inside"', reason: lost("database", inside.id) }),
  );
  expect(await told(tenants, here)).toContain(
    noLongerExists({ title: 'group "tenants"', reason: lost("group", tenants.id) }),
  );
});

test("§3 explains that a token was revoked, or that its group was deleted, restored or transferred", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const scopes = ["read"];
  const tenants = await made(group, { name: "tenants", location: "aws-us-east-1" }, here);
  const wide = await made(apiToken, { name: "wide" }, here);
  const narrow = await made(apiToken, { name: "narrow", group: tenants.id, scopes }, here);
  await outside.revokeApiToken({ organizationSlug, tokenId: wide.id });
  const reason = apiTokenNotFound({ id: wide.id, organization: "acme" });
  expect(await told(wide, here)).toContain(noLongerExists({ title: 'API token "wide"', reason }));

  await made(database, { name: "inside", group: tenants.id }, here);
  await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  await outside.restoreGroup({ organizationId: here.api.organizationId, groupId: tenants.id });
  expect(await told(narrow, here)).toContain(revokedOrGroupLost({ groupName: "tenants" }));

  const again = await made(apiToken, { name: "again", group: tenants.id, scopes }, here);
  const ofBoth = clientOf(here.api, await here.api.token({ organization: null }));
  await ofBoth.transferGroup({ organizationSlug, groupName: "tenants", body: { organization: "globex" } });
  expect(await told(again, here)).toContain(groupLost({ groupName: "tenants", groupId: tenants.id }));
  expect(await told(tenants, here)).toContain("transferred");
});
