// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { keptDespiteImport } from "../../kit/lifecycle/messages";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { aDatabase, inGroup } from "../stories/declarations";
import { programOf } from "./story-fixture";

test("says why it keeps one of two databases of a resource that is removed, if the other was imported", async () => {
  const here = await engineFixture();
  const stack = fakeStack({ api: here.api, settings: { driftDetection: "on-refresh" } });
  const importedId = await here.database("older");
  await stack.run(programOf({ orders: inGroup("orders") }), { preview: false });
  const id = (await stack.managed()).get("orders")?.id ?? "";
  const imported = aDatabase({ name: "older", group: "default" }, { import: importedId });
  const interrupted = programOf({ orders: imported, broken: inGroup("broken", "missing") });
  expect((await stack.run(interrupted, { preview: false })).failure).toContain("missing");

  const { said } = await stack.run(programOf({}), { preview: false, readsFirst: true });
  expect(said).toContain(keptDespiteImport({ title: 'database "orders"', id, importedId, isDeclared: false }));
  expect(await here.databases()).toEqual({ orders: id });
});
