// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { deletionSkipped, keptDespiteImport } from "../../kit/lifecycle/messages";
import { remove } from "../../kit/steps/delete";
import { read } from "../../kit/steps/read";
import { group } from "../../provider/resources/group/group";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { aDatabase, aDatabaseNamed, TENANTS } from "../stories/declarations";
import { lifecycleFixture } from "./lifecycle-fixture";
import { made } from "./managed";
import { programOf } from "./scenario-fixture";

test("says why it keeps one of two databases of a resource that is removed, if the other was imported", async () => {
  const here = await engineFixture();
  const stack = fakeStack({ api: here.api, settings: { driftDetection: "on-refresh" } });
  const importedId = await here.createDatabase("older");
  await stack.run(programOf({ orders: aDatabaseNamed("orders") }), { preview: false });
  const id = (await stack.managed()).get("orders")?.id ?? "";
  const imported = aDatabase({ name: "older", group: "default" }, { import: importedId });
  const interrupted = programOf({ orders: imported, broken: aDatabaseNamed("broken", "missing") });
  expect((await stack.run(interrupted, { preview: false })).failure).toContain("missing");

  const { said } = await stack.run(programOf({}), { preview: false, readsFirst: true });
  expect(said).toContain(keptDespiteImport({ title: 'database "orders"', id, importedId, isDeclared: false }));
  expect(await here.databases()).toEqual({ orders: id });
});

test("does not delete a group that another resource imports while the deletion looks for databases in it", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await made(group, TENANTS, here.context);
  const wire = await faultyWire(here.api.url);
  const context = here.newProcess({}, { baseUrl: wire.url });
  const at = (urn: string) => ({ ...context, platform: { ...context.platform, urn } });
  let isImported = false;
  wire.trouble = ({ operation }) =>
    operation === "listDatabases" && !isImported
      ? async ({ forward, send }) => {
          isImported = true;
          await read(group, { id, inputs: {}, state: undefined }, at("another"));
          const { status, text } = await forward();
          send(status, text);
        }
      : undefined;
  here.takeOperations();
  await remove(group, { id, state }, at("tenants"));
  expect(isImported).toBe(true);
  expect(here.takeOperations()).not.toContain("deleteGroup");
  expect(here.said).toContain(deletionSkipped({ title: 'group "tenants"', id }));
});
