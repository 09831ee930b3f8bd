// @module-tag previews-are-true

import { expect, test } from "vitest";
import { deletionPrevented, replacementImpossible, replacementPrevented } from "../../kit/lifecycle/messages";
import type { Properties } from "../../kit/lifecycle/properties";
import { Refusal } from "../../kit/refusal";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { configurationOfRetained } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { locationUnknown } from "../../provider/resources/group/messages";
import { databaseInGroupProtected, OBJECT_PROTECTED, unprotectDatabase } from "../../provider/resources/messages";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

const organizationSlug = "acme";
const ORDERS = { name: "orders", group: "default" };
const TENANTS = { name: "tenants", location: "aws-us-east-1" };

const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);

const protect = (here: LifecycleFixture, databaseName: string) =>
  outside(here).updateDatabaseConfiguration({ organizationSlug, databaseName, body: { delete_protection: true } });

const textOf = (details: ConstructorParameters<typeof Refusal>[1]) => new Refusal("conflict", details).message;

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail("nothing was refused"),
    ({ message }: Error) => message,
  );

/** Returns the refusal of a change in the program, as a preview shows it. */
const refusalOf = (
  { resource, id, inputs, state }: ManagedResource,
  changes: Properties,
  context: LifecycleFixture["context"],
) => messageOf(diff(resource, { id, oldInputs: inputs, state, news: { ...inputs, ...changes } }, context));

test.each([
  ["name", { name: "catalogue" }, false],
  ["group", { group: "other" }, false],
  ["group", { group: "other", seed: { dumpUrl: "https://x/y" } }, true],
])(
  "names the changed `%s`, what would be lost, and first how to keep a protected database",
  async (_, to, isSeeded) => {
    const here = await lifecycleFixture();
    const orders = await made(database, ORDERS, here.context);
    await protect(here, "orders");
    const prevented = replacementPrevented({
      ...{ title: 'database "orders"', id: orders.id, kind: "database", properties: [Object.keys(to)[0] ?? ""] },
      ...{
        reason: OBJECT_PROTECTED,
        toAllow: unprotectDatabase({ isConfigurationDeclared: false }),
        isRestorable: true,
        isSeeded,
      },
    });
    const message = await refusalOf(orders, to, here.again());
    expect(message).toBe(textOf(prevented));
    expect(message.indexOf("undo the change")).toBeLessThan(message.indexOf("deleteProtection: false"));
    expect(message.includes("new, empty database")).toBe(!isSeeded);
    expect(here.said).toEqual([]);
  },
);

test("reports a mistyped location as such, and only then the protected database in the group", async () => {
  const here = await lifecycleFixture();
  const tenants = await made(group, { ...TENANTS, forceDestroy: true }, here.context);
  const inside = await made(database, { name: "inside", group: "tenants" }, here.context);
  await protect(here, "inside");
  const locations = (await outside(here).listLocations({})).locations;
  const of = { title: 'group "tenants"', id: tenants.id, properties: ["location"] };
  expect(await refusalOf(tenants, { location: "eu-west-1" }, here.again())).toBe(
    replacementImpossible({
      ...of,
      reason: locationUnknown({ location: "eu-west-1", known: Object.keys(locations) }),
    }),
  );
  expect(await refusalOf(tenants, { location: "aws-eu-west-1" }, here.again())).toBe(
    textOf(
      replacementPrevented({
        ...{ ...of, kind: "group", isRestorable: true, isSeeded: false },
        reason: databaseInGroupProtected({ protectedDatabase: { name: "inside", id: inside.id } }),
        toAllow: unprotectDatabase({ isConfigurationDeclared: false }),
      }),
    ),
  );
});

test("names the protection once when a deletion fails, and what to declare if the configuration is gone", async () => {
  const here = await lifecycleFixture();
  const orders = await made(database, ORDERS, here.context);
  const configuration = await made(
    databaseConfiguration,
    { database: orders.id, deleteProtection: true },
    here.context,
  );
  const failure = async (isDeclared: boolean) => {
    const context = here.again();
    const beside = { ...context, platform: { ...context.platform, urn: "limits" } };
    const { id, inputs, state } = configuration;
    await readManaged(databaseConfiguration, { id, inputs, state }, beside);
    await readManaged(database, { id, inputs: ORDERS, state: orders.state }, context);
    if (isDeclared) context.run.note({ step: "check", urn: "limits", inputs });
    return messageOf(remove(database, orders, context));
  };
  for (const isConfigurationDeclared of [true, false]) {
    const facts = { title: 'database "orders"', id: orders.id, reason: OBJECT_PROTECTED };
    expect(await failure(isConfigurationDeclared)).toBe(
      textOf(deletionPrevented({ ...facts, toAllow: unprotectDatabase({ isConfigurationDeclared }) })),
    );
  }
  expect(await database.read(orders.id, here.again().platform)).toMatchObject({ status: "live" });
});

test("says of the configuration of a replaced database only what holds if the database is retained", async () => {
  const here = await lifecycleFixture();
  const orders = await made(database, ORDERS, here.context);
  const configuration = await made(databaseConfiguration, { database: orders.id, sizeLimit: "2gb" }, here.context);
  const context = here.again();
  const { id, inputs, state } = orders;
  const news = { ...inputs, name: "catalogue" };
  await readManaged(database, { id, inputs, state }, context);
  context.run.note({ step: "check", urn: context.platform.urn, inputs: news });
  await diff(database, { id, oldInputs: inputs, state, news }, context);
  here.said.length = 0;
  await remove(databaseConfiguration, configuration, {
    ...context,
    platform: { ...context.platform, urn: "limits" },
  });
  expect(here.said).toEqual([configurationOfRetained({ assignments: ['sizeLimit: "2gb"'] })]);
});
