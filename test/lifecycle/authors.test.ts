// @module-tag no-false-differences

import { describe, expect, test } from "vitest";
import { changedOutside } from "../../kit/lifecycle/messages";
import type { Properties } from "../../kit/lifecycle/properties";
import { deletionMessage } from "../../kit/lifecycle/restore/messages";
import { LESS_THAN_A_MINUTE_AGO } from "../../kit/messages";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { HttpConnection } from "../../provider/client/http/client";
import { authorName } from "../../provider/client/messages";
import type { Client } from "../../provider/client/organization-client";
import type { Author } from "../../provider/facts";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { WITH_DATA } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { restorableObject } from "../../provider/resources/restoration";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { type ManagedResource, made } from "./managed";

const acme = { organizationSlug: "acme" };
const orders = { ...acme, databaseName: "orders" };
const ORDERS = { name: "orders", group: "default" };
const UNBLOCKED = { ...orders, body: { block_writes: false } };

/** In seconds. One more than 60, because the platform's time is known only to the second. */
const MINUTE = 61;

interface DatedAuthor extends Author {
  readonly ago: string;
}

const adaInApi: DatedAuthor = { author: "ada", origin: "api", ago: LESS_THAN_A_MINUTE_AGO };
const maxInCli: DatedAuthor = { author: "max", origin: "cli", ago: LESS_THAN_A_MINUTE_AGO };

const userAgents = { cli: "turso-cli/1.0.4 (linux/amd64)", web: "Mozilla/5.0", api: "tests" };

/**
 * Creates a client that sends the user's token and the User-Agent of the CLI, a browser or a script. A user other than
 * the owner Ada is first added as an admin.
 */
async function clientOf(username: string, from: keyof typeof userAgents, { api }: LifecycleFixture): Promise<Client> {
  if (username !== "ada") await api.member(username, "admin");
  const apiToken = await api.token({ user: username });
  return new HttpConnection({ baseUrl: api.url, apiToken, userAgent: userAgents[from] }).client({
    signal: new AbortController().signal,
  });
}

/**
 * Reads a resource and compares it with its inputs, as a preview does. Returns the messages, the differences, the
 * deletion time and the number of audit-log requests.
 */
async function preview(
  { resource, id, inputs, state }: ManagedResource,
  here: LifecycleFixture,
  context = here.again(),
  changes: Properties = {},
) {
  here.said.length = 0;
  here.asked();
  const read = await readManaged(resource, { id, inputs, state }, context);
  context.run.note({ step: "check", urn: context.platform.urn, inputs });
  const compared = { id, oldInputs: inputs, state: read?.state ?? {}, news: { ...inputs, ...changes } };
  const { differences } = await diff(resource, compared, context);
  const asked = here.asked().filter((operation) => operation === "listAuditLogs").length;
  return { said: [...here.said], asked, differences, deletedAt: String(read?.state.deletedAt) };
}

type Changes = Parameters<typeof changedOutside>[0]["changes"];

const changed = (changes: Changes, thing: string, by: DatedAuthor, isSetBack = true) =>
  changedOutside({ changes, thing, author: authorName({ by }), ago: by.ago, isSetBack });

const UNBLOCKED_WRITES = [{ property: "blockWrites", is: true, wanted: false }];

/** A database that the stack does not manage is named by its id. */
const ofOrders = ({ id }: ManagedResource) => `database ${id}`;

const deletion = (id: string, deletedAt: string, by?: Author) =>
  deletionMessage({
    title: 'database "orders"',
    id,
    brings: WITH_DATA,
    deletion: { ...restorableObject(id, deletedAt), by: by && authorName({ by }) },
  });

async function withOrders(options?: Parameters<typeof lifecycleFixture>[1]) {
  const here = await lifecycleFixture({}, options);
  return { here, managed: await made(database, ORDERS, here.context) };
}

async function withConfiguration() {
  const { here, managed } = await withOrders();
  const configuration = await made(
    databaseConfiguration,
    { database: managed.id, blockWrites: true, allowedIps: ["10.0.0.0/8"], deleteProtection: true },
    here.context,
  );
  // Advances the clock, because the order of changes within five seconds of each other is uncertain.
  await here.api.advance(MINUTE);
  return { here, configuration, database: managed };
}

describe("the report of a deletion", () => {
  test.each(["cli", "web", "api"] as const)(
    "names the user who deleted a database and the client they used (%s)",
    async (from) => {
      const { here, managed } = await withOrders();
      await (await clientOf("max", from, here)).deleteDatabase(orders);
      await here.api.advance(180 * MINUTE);
      const { said, asked, deletedAt } = await preview(managed, here);
      const by = { author: "max", origin: from };
      expect({ said, asked }).toEqual({ said: [deletion(managed.id, deletedAt, by)], asked: 1 });
    },
  );

  test("names the user who deleted a group, for the group and for the databases in it", async () => {
    const here = await lifecycleFixture();
    const parent = await made(group, { name: "tenants", location: "aws-us-east-1" }, here.context);
    const inside = await made(database, { name: "inside", group: parent.id }, here.context);
    await (await clientOf("max", "cli", here)).deleteGroup({ ...acme, groupName: "tenants" });
    for (const each of [parent, inside])
      expect((await preview(each, here)).said.join()).toContain("was deleted by max with the CLI on ");
  });

  test("names nobody if two users deleted databases with the same name within five seconds", async () => {
    const { here, managed } = await withOrders();
    await (await clientOf("max", "cli", here)).deleteDatabase(orders);
    const ada = await clientOf("ada", "cli", here);
    await ada.createDatabase({ ...acme, body: ORDERS });
    await ada.deleteDatabase(orders);
    const { said, deletedAt } = await preview(managed, here);
    expect(said).toContain(deletion(managed.id, deletedAt));
  });

  test("needs at most three pages of the audit log, each requested only once per run", async () => {
    const { here, managed } = await withOrders();
    const later = await made(database, { ...ORDERS, name: "later" }, here.context);
    const max = await clientOf("max", "cli", here);
    const changes = async (count: number) => {
      for (let index = 0; index < count; index++)
        await max.updateDatabaseConfiguration({
          ...acme,
          databaseName: "busy",
          body: { allow_attach: index % 2 === 0 },
        });
    };
    await max.createDatabase({ ...acme, body: { ...ORDERS, name: "busy" } });
    await max.deleteDatabase(orders);
    await here.api.advance(MINUTE);
    await changes(150);
    await here.api.advance(MINUTE);
    await max.deleteDatabase({ ...acme, databaseName: "later" });
    const context = here.again();
    expect(await preview(later, here, context)).toMatchObject({ asked: 1 });
    const second = await preview(managed, here, context);
    expect(second).toMatchObject({ asked: 1 });
    expect(second.said.join()).toContain("by max with the CLI");
    await changes(160);
    const { said, asked, deletedAt } = await preview(managed, here);
    expect({ said, asked }).toEqual({ said: [deletion(managed.id, deletedAt)], asked: 3 });
  });
});

describe("the report of a changed property", () => {
  test("shows who made the change, with which client and when", async () => {
    const { here, configuration } = await withConfiguration();
    const body = { block_writes: false, allowed_ips: null, delete_protection: false };
    await (await clientOf("max", "web", here)).updateDatabaseConfiguration({ ...orders, body });
    await here.api.advance(20 * MINUTE);
    const { said, asked } = await preview(configuration, here);
    const by = { author: "max", origin: "web", ago: "20 minutes ago" };
    const changes = [
      ...UNBLOCKED_WRITES,
      { property: "deleteProtection", is: true, wanted: false },
      { property: "allowedIps", is: ["10.0.0.0/8"], wanted: [] },
    ];
    expect({ said, asked }).toEqual({
      said: [changed(changes, ofOrders(configuration), by)],
      asked: 1,
    });
  });

  test("names the user who renamed a group and changed its locations and protection", async () => {
    const here = await lifecycleFixture();
    const wanted = {
      name: "tenants",
      location: "aws-us-east-1",
      locations: ["aws-eu-west-1"],
      deleteProtection: false,
    };
    const managed = await made(group, wanted, here.context);
    await here.api.advance(MINUTE);
    const max = await clientOf("max", "cli", here);
    await max.renameGroup({ ...acme, groupName: "tenants", body: { name: "strange" } });
    await here.api.advance(MINUTE);
    const strange = { ...acme, groupName: "strange" };
    await max.addGroupLocation({ ...strange, location: "aws-us-west-2" });
    await max.removeGroupLocation({ ...strange, location: "aws-eu-west-1" });
    const ada = await clientOf("ada", "api", here);
    await ada.updateGroupConfiguration({ ...strange, body: { delete_protection: true } });
    const { said, asked } = await preview(managed, here);
    expect({ said: said.toSorted(), asked }).toEqual({
      said: [
        changed([{ property: "deleteProtection", is: false, wanted: true }], 'group "strange"', adaInApi),
        changed(
          [{ property: "locations", is: ["aws-eu-west-1"], wanted: ["aws-us-west-2"] }],
          'group "strange"',
          maxInCli,
        ),
        changed([{ property: "name", is: "tenants", wanted: "strange" }], 'group "strange"', {
          ...maxInCli,
          ago: "1 minute ago",
        }),
      ].toSorted(),
      asked: 1,
    });
  });

  test("names the user also if the program renames the resource with an alias", async () => {
    const { here, configuration } = await withConfiguration();
    await (await clientOf("max", "cli", here)).updateDatabaseConfiguration(UNBLOCKED);
    const { resource, id, inputs, state } = configuration;
    const before = here.again({ urn: "before" });
    const read = await readManaged(resource, { id, inputs, state }, before);
    const after = { ...before, platform: { ...before.platform, urn: "after" } };
    after.run.note({ step: "check", urn: "after", inputs });
    await diff(resource, { id, oldInputs: inputs, state: read?.state ?? {}, news: inputs }, after);
    expect(here.said).toEqual([changed(UNBLOCKED_WRITES, ofOrders(configuration), maxInCli)]);
  });

  test("names the database by its name if the stack manages it", async () => {
    const { here, configuration, database: managed } = await withConfiguration();
    await (await clientOf("max", "cli", here)).updateDatabaseConfiguration(UNBLOCKED);
    const context = here.again();
    const { id, inputs, state } = managed;
    await readManaged(
      database,
      { id, inputs, state },
      { ...context, platform: { ...context.platform, urn: "orders" } },
    );
    const { said } = await preview(configuration, here, context);
    expect(said).toEqual([changed(UNBLOCKED_WRITES, 'database "orders"', maxInCli)]);
  });

  test("does not promise to set a value back if the program has changed it as well", async () => {
    const { here, configuration } = await withConfiguration();
    const body = { allowed_ips: ["10.0.0.0/16"] };
    await (await clientOf("max", "cli", here)).updateDatabaseConfiguration({ ...orders, body });
    const { said } = await preview(configuration, here, here.again(), { allowedIps: ["10.0.0.0/24"] });
    const changes = [{ property: "allowedIps", is: ["10.0.0.0/8"], wanted: ["10.0.0.0/16"] }];
    expect(said).toEqual([changed(changes, ofOrders(configuration), maxInCli, false)]);
  });

  test("names nobody if two users may have changed the property", async () => {
    const { here, configuration } = await withConfiguration();
    for (const username of ["max", "ada"])
      await (await clientOf(username, "web", here)).updateDatabaseConfiguration(UNBLOCKED);
    expect(await preview(configuration, here)).toMatchObject({ said: [], asked: 1 });
  });

  test("names the user who last made the change, even if another user had made and undone it", async () => {
    const { here, configuration } = await withConfiguration();
    const max = await clientOf("max", "cli", here);
    const ada = await clientOf("ada", "web", here);
    await ada.updateDatabaseConfiguration(UNBLOCKED);
    await here.api.advance(MINUTE);
    await ada.updateDatabaseConfiguration({ ...orders, body: { block_writes: true } });
    await here.api.advance(MINUTE);
    await max.updateDatabaseConfiguration(UNBLOCKED);
    const { said } = await preview(configuration, here);
    expect(said).toEqual([changed(UNBLOCKED_WRITES, ofOrders(configuration), maxInCli)]);
  });

  test("names nobody if the change may have been made to another database with the same name", async () => {
    const { here, configuration, database: managed } = await withConfiguration();
    const max = await clientOf("max", "cli", here);
    const organizationId = here.api.organizationId;
    await max.updateDatabaseConfiguration({ ...orders, body: { delete_protection: false } });
    await max.deleteDatabase(orders);
    const { database: other } = await max.createDatabase({ ...acme, body: ORDERS });
    await max.updateDatabaseConfiguration(UNBLOCKED);
    await max.deleteDatabaseById({ organizationId, databaseId: other.DbId });
    await max.restoreDatabase({ organizationId, databaseId: managed.id });
    const recorded = { ...configuration, state: { ...configuration.state, deleteProtection: false } };
    const kept = { ...recorded, inputs: { ...configuration.inputs, blockWrites: false, deleteProtection: false } };
    const changed = { ...kept, state: { ...kept.state, blockWrites: false } };
    expect(await preview(changed, here)).toMatchObject({ said: [], asked: 1 });
  });

  test("is omitted if an interrupted update caused the difference", async () => {
    const { here, configuration } = await withConfiguration();
    await (await clientOf("max", "web", here)).updateDatabaseConfiguration(UNBLOCKED);
    const interrupted = { ...configuration, state: { ...configuration.state, blockWrites: false } };
    const { said, asked, differences } = await preview(interrupted, here);
    expect(differences).toMatchObject([{ path: "blockWrites" }]);
    expect({ said, asked }).toEqual({ said: [], asked: 0 });
  });
});

describe("the audit log", () => {
  test("is requested only for drift, not for changes in the program", async () => {
    const { here, configuration, database: managed } = await withConfiguration();
    for (const each of [configuration, managed])
      expect(await preview(each, here)).toMatchObject({ said: [], asked: 0 });
    const context = here.again();
    context.run.note({ step: "check", urn: context.platform.urn, inputs: {} });
    const news = { ...configuration.inputs, blockWrites: false };
    here.asked();
    await diff(databaseConfiguration, { ...configuration, oldInputs: configuration.inputs, news }, context);
    expect(here.asked()).not.toContain("listAuditLogs");
  });

  test("is not requested with a group-scoped token", async () => {
    const { here, managed } = await withOrders();
    const apiToken = await here.api.token({ user: "ada", group: "default", scopes: ["read"] });
    await (await clientOf("max", "cli", here)).deleteDatabase(orders);
    const { said, asked, deletedAt } = await preview(
      managed,
      here,
      here.again({}, { apiToken, organizationId: here.api.organizationId }),
    );
    expect({ said, asked }).toEqual({ said: [deletion(managed.id, deletedAt)], asked: 0 });
  });

  test.each([
    ["status 403", { status: 403 }],
    ["status 503", { status: 503 }],
    ["status 429", { status: 429 }],
    ["a lost connection", { reset: "after" }],
    ["an unreadable body", { body: "html" }],
    ["a body of another shape", { body: { audit_logs: [{ code: "db-delete" }] } }],
  ] as const)("is not requested again after %s, and the preview still succeeds", async (_, fault) => {
    const { here, managed } = await withOrders();
    const parent = await made(group, { name: "tenants", location: "aws-us-east-1" }, here.context);
    const max = await clientOf("max", "cli", here);
    await max.renameGroup({ ...acme, groupName: "tenants", body: { name: "strange" } });
    await max.deleteDatabase(orders);
    here.api.fault({ operation: "listAuditLogs", times: 99, ...fault });
    const context = here.again();
    const ofParent = { ...context, platform: { ...context.platform, urn: "parent" } };
    expect(await preview(parent, here, ofParent)).toMatchObject({ said: [], asked: 1, differences: [{}] });
    const { said, asked, deletedAt } = await preview(managed, here, context);
    expect({ said, asked }).toEqual({ said: [deletion(managed.id, deletedAt)], asked: 0 });
  });
});
