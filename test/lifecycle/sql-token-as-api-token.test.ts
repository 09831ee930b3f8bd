// @module-tag clear-messages

import { expect, test } from "vitest";
import { sqlTokenInsteadOfApiToken } from "../../provider/client/messages";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";

test("says that a SQL-engine token is no API token, and for which database or group it is", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const body = { name: "orders", group: "default" };
  const { DbId } = (await outside.createDatabase({ organizationSlug, body })).database;
  const { group } = await outside.retrieveGroup({ organizationSlug, groupName: "default" });
  const tokens = [
    ["database", DbId, await outside.createDatabaseToken({ organizationSlug, databaseName: "orders" })],
    ["group", group.uuid, await outside.createGroupToken({ organizationSlug, groupName: "default" })],
  ] as const;
  for (const [kind, id, { jwt }] of tokens) {
    const { organization } = here.again({}, { apiToken: jwt }).platform.platform;
    const refused = await organization.id().catch((thrown) => thrown);
    expect(refused).toMatchObject({ kind: "unauthenticated", status: 401 });
    expect(refused.message).toContain(sqlTokenInsteadOfApiToken({ kind, id }));
    expect(refused.message).not.toContain(jwt);
  }
});
