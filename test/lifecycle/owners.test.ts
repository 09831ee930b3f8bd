// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import { deletedWithReplaced, notDeleted, stillDeclaredInside } from "../../kit/lifecycle/messages";
import type { Properties } from "../../kit/lifecycle/properties";
import { ownerDeleted } from "../../kit/lifecycle/restore/messages";
import { titleOf } from "../../kit/phrases";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { group } from "../../provider/resources/group/group";
import { apiToken } from "../../provider/resources/token/api-token";
import { databaseToken } from "../../provider/resources/token/database-token";
import { groupToken } from "../../provider/resources/token/group-token";
import { clientOf } from "../engine/engine-fixture";
import type { Declared, Value } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

const tenants = { name: "tenants", location: "aws-us-east-1" };
const found = async (resource: AnyResource, id: string, { again }: LifecycleFixture) =>
  (await resource.read(id, again().platform)).status;

/** Resources whose arguments contain the group's name as a literal, so the engine sees no dependency on the group. */
const IN_GROUP: readonly (readonly [string, AnyResource, Properties])[] = [
  ["an API token", apiToken, { name: "ci", group: "tenants", scopes: ["read"] }],
  ["a group token", groupToken, { group: "tenants" }],
  ["a database", database, { name: "orders", group: "tenants" }],
];

test.each(IN_GROUP)("refuses to delete a group in which the same run created %s", async (_, resource, args) => {
  const here = await lifecycleFixture();
  const parent = await create(group, { ...tenants, forceDestroy: true }, here.context);
  const later = here.again();
  const { id } = await create(resource, args, later);
  const inside = `${titleOf(resource, args)} (${id})`;
  await expect(remove(group, parent, later)).rejects.toThrow(
    `${notDeleted({ title: 'group "tenants"', id: parent.id })}: ${stillDeclaredInside({ kind: "group", inside }).answer}`,
  );
  expect(await found(group, parent.id, here)).toBe("live");
  await remove(group, parent, here.again());
  expect(await found(group, parent.id, here)).toBe("deleted");
});

test("refuses to delete a group while the program still declares an unchanged API token for it", async () => {
  const here = await lifecycleFixture();
  const parent = await create(group, tenants, here.context);
  const args = { name: "ci", group: "tenants", scopes: ["read"] };
  const { id, state } = await create(apiToken, args, here.context);
  const later = here.again();
  const ofToken = { ...later, platform: { ...later.platform, urn: `${later.platform.urn}-token` } };
  later.run.note({ step: "check", urn: ofToken.platform.urn, inputs: {} });
  const unchanged = { id, oldInputs: args, state, news: args };
  expect((await diff(apiToken, unchanged, ofToken)).differences).toEqual([]);
  await expect(remove(group, parent, later)).rejects.toThrow(
    stillDeclaredInside({ kind: "group", inside: `API token "ci" (${id})` }).answer,
  );
  expect(await found(apiToken, id, here)).toBe("live");
});

test("keeps a database for which the same run issued a token, but deletes its DatabaseConfiguration", async () => {
  const here = await lifecycleFixture();
  const orders = await create(database, { name: "orders", group: "default" }, here.context);
  const configuration = await create(databaseConfiguration, { database: orders.id, blockWrites: true }, here.context);
  const later = here.again();
  const token = await create(databaseToken, { database: orders.id.toUpperCase() }, later);
  await remove(databaseConfiguration, configuration, later);
  await expect(remove(database, orders, later)).rejects.toThrow(
    stillDeclaredInside({ kind: "database", inside: `database token (${token.id})` }).answer,
  );
  expect(await found(database, orders.id, here)).toBe("live");
});

test("removes a deleted database from the state, even if its DatabaseConfiguration is still declared", async () => {
  const here = await lifecycleFixture();
  const orders = await create(database, { name: "orders", group: "default" }, here.context);
  const later = here.again();
  await create(databaseConfiguration, { database: orders.id, blockWrites: true }, later);
  const deleted = { ...orders, state: { ...orders.state, deletedAt: "2026-01-01T00:00:00Z" } };
  await remove(database, orders, here.again());
  await remove(database, deleted, later);
});

test("refuses to delete a group that the same run has restored together with a declared database", async () => {
  const here = await lifecycleFixture();
  const parent = await create(group, { ...tenants, forceDestroy: true }, here.context);
  const args = { name: "inside", group: "tenants" };
  const inside = await create(database, args, here.context);
  await clientOf(here.api, here.api.apiToken).deleteGroup({ organizationSlug: "acme", groupName: "tenants" });
  const deletedIn = async (resource: AnyResource, { id, state }: typeof parent) => {
    const reading = await resource.read(id, here.again().platform, { known: state });
    if (reading.status !== "deleted") throw new Error("the group was not deleted with its database");
    return reading.state;
  };
  const later = here.again();
  const deleted = { id: parent.id, state: await deletedIn(group, parent) };
  const state = await deletedIn(database, inside);
  await update(database, { id: inside.id, oldInputs: args, state, news: args }, later);
  const dropped = { ...later, platform: { ...later.platform, urn: "dropped" } };
  await expect(remove(group, deleted, dropped)).rejects.toThrow(
    stillDeclaredInside({ kind: "group", inside: `database "inside" (${inside.id})` }).answer,
  );
  expect(await found(database, inside.id, here)).toBe("live");
});

test.each(IN_GROUP.slice(0, 2))(
  "replaces %s whose group is replaced under the same name",
  async (_, resource, args) => {
    const here = await lifecycleFixture();
    const parent = await create(group, tenants, here.context);
    const { id, state } = await create(resource, args, here.context);
    const later = here.again();
    await remove(group, parent, later);
    await create(group, { ...tenants, location: "aws-eu-west-1" }, later);
    const { differences } = await diff(resource, { id, oldInputs: args, state, news: args }, later);
    expect(differences).toMatchObject([{ path: "groupId", replaces: true }]);
  },
);

const groupIn = (location: string): Declared => ({
  type: "Group",
  args: { name: "tenants", location, forceDestroy: true },
});
const databaseIn = (group: Value): Declared => ({ type: "Database", args: { name: "inside", group } });

test.each([["before"], ["after"]])(
  "refuses to replace a group that the program declares %s a database with the group's literal name",
  async (place) => {
    const here = await lifecycleFixture();
    const stack = new FakeEngine(dbplatform);
    const program = (location: string, group: Value = "tenants") => {
      const declared = { tenants: groupIn(location), inside: databaseIn(group) };
      const { inside, tenants } = declared;
      return programOf(place === "before" || group !== "tenants" ? declared : { inside, tenants });
    };
    await stack.up(programOf({ tenants: groupIn("aws-us-east-1") }), here.again());
    await stack.up(program("aws-us-east-1"), here.again());
    const id = stack.managed.get("inside")?.id ?? "";
    const { answer } = deletedWithReplaced({ kind: "group", inside: `database "inside" (${id})` });
    await expect(stack.preview(program("aws-eu-west-1"), here.again())).rejects.toThrow(answer);
    await expect(stack.up(program("aws-eu-west-1"), here.again())).rejects.toThrow(answer);
    expect(await found(database, id, here)).toBe("live");

    // Follows the message. The engine then shows and deletes the database first.
    const output = { of: "tenants", output: "id" } as const;
    const changed = program("aws-eu-west-1", output);
    await expect(stack.up(changed, here.again())).rejects.toThrow(answer);
    expect(await found(database, id, here)).toBe("live");
    await stack.up(program("aws-us-east-1", output), here.again());
    expect(stack.managed.get("inside")?.id).toBe(id);
    expect(await stack.preview(changed, here.again())).toBe(4);
    await stack.up(changed, here.again());
    expect(stack.managed.get("inside")?.id).not.toBe(id);
  },
);

test("shows in the preview that a token is replaced whose group is replaced under the same name", async () => {
  const here = await lifecycleFixture();
  const stack = new FakeEngine(dbplatform);
  const program = (location: string) =>
    programOf({ tenants: groupIn(location), token: { type: "GroupToken", args: { group: "tenants" } } });
  await stack.up(program("aws-us-east-1"), here.again());
  const moved = program("aws-eu-west-1");
  expect(await stack.preview(moved, here.again())).toBe(4);
  expect(await stack.up(moved, here.again())).toBe(4);
});

test("refuses to delete the group of a declared database after a switch to `driftDetection: always`", async () => {
  const here = await lifecycleFixture();
  const made = await create(group, { name: "tenants", location: "aws-us-east-1", forceDestroy: true }, here.context);
  const news = { name: "inside", group: "tenants" };
  const inside = await create(database, news, here.context);
  // The previous update ran with `driftDetection: on-refresh`, so the engine does not read the resources before this
  // update.
  const context = here.again();
  context.run.readsFirst = true;
  context.run.note({ step: "check", urn: "urn", inputs: news });
  await diff(database, { ...inside, oldInputs: news, news }, context);
  const dropped = { ...context, platform: { ...context.platform, urn: "dropped" } };
  await expect(remove(group, made, dropped)).rejects.toThrow(
    stillDeclaredInside({ kind: "group", inside: `database "inside" (${inside.id})` }).answer,
  );
});

test("reports a deleted database to its DatabaseConfiguration that the program renames with an alias", async () => {
  const here = await lifecycleFixture();
  const orders = await create(database, { name: "orders", group: "default" }, here.context);
  const args = { database: orders.id, blockWrites: true };
  const { id, state } = await create(databaseConfiguration, args, here.context);
  await remove(database, orders, here.again());
  const context = here.again({ urn: "before" });
  await readManaged(databaseConfiguration, { id, inputs: args, state }, context);
  const renamed = { ...context, platform: { ...context.platform, urn: "after" } };
  renamed.run.note({ step: "check", urn: "after", inputs: args });
  here.said.length = 0;
  await diff(databaseConfiguration, { id, oldInputs: args, state, news: args }, renamed);
  expect(here.said.join("\n")).toContain(
    ownerDeleted({ kind: "database configuration", container: { kind: "database", id: orders.id, message: "" } }),
  );
});
