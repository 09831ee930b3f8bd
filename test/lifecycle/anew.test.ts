import { expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { type Compared, diff } from "../../provider/lifecycle/diff";
import type { Properties } from "../../provider/lifecycle/properties";
import { readManaged } from "../../provider/lifecycle/read";
import { update } from "../../provider/lifecycle/update";
import { apiToken } from "../../provider/resources/api-token";
import { database } from "../../provider/resources/database";
import { databaseConfiguration } from "../../provider/resources/database-configuration";
import { databaseToken } from "../../provider/resources/database-token";
import { group } from "../../provider/resources/group";
import { groupToken } from "../../provider/resources/group-token";
import type { AnyResource } from "../../provider/resources/resource";
import { signingKeyRotation } from "../../provider/resources/signing-key-rotation";
import { clientOf } from "../engine/world";
import { type Session, session } from "./session";

const organizationSlug = "acme";
const FIVE_DAYS_S = 5 * 86_400;

interface Made {
  readonly resource: AnyResource;
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

async function made(resource: AnyResource, inputs: Properties, here: Session): Promise<Made> {
  return { resource, inputs, ...(await create(resource, inputs, here.context)) };
}

/** What another run says that looks at it: its warnings, and the reasons for which it is not as wanted. */
async function told({ resource, ...managed }: Made, here: Session): Promise<string> {
  const before = here.said.length;
  const reasons = await readManaged(resource, managed, here.again()).then(
    () => "",
    (failure: Error) => failure.message,
  );
  return [...here.said.slice(before), reasons].join(" ");
}

test("the configuration of a database goes to that one, also when its name was changed outside and another one has its old name", async () => {
  const here = await session();
  const outside = clientOf(here.api, here.api.apiToken);
  const { organizationId } = here.api;
  const orders = await made(database, { name: "orders", group: "default" }, here);
  const configuration = await made(databaseConfiguration, { database: orders.id, blockReads: false }, here);
  await outside.deleteDatabaseById({ organizationId, databaseId: orders.id });
  await outside.restoreDatabase({ organizationId, databaseId: orders.id, body: { name: "renamed" } });
  await outside.createDatabase({ organizationSlug, body: { name: "orders", group: "default" } });

  const run = here.again();
  const refreshed = await readManaged(database, orders, run);
  const compared: Compared = {
    ...orders,
    oldInputs: orders.inputs,
    news: orders.inputs,
    state: refreshed?.state ?? {},
  };
  expect((await diff(database, compared, run)).differences).toMatchObject([{ property: "name", replaces: false }]);
  await update(database, compared, run);
  const wish = { database: orders.id, blockReads: true };
  await update(databaseConfiguration, { ...configuration, oldInputs: configuration.inputs, news: wish }, run);
  const blocks = async (databaseName: string) =>
    (await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName })).block_reads;
  expect(await blocks("orders")).toBe(false);
  expect(await blocks("renamed")).toBe(true);
});
