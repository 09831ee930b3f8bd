// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { aDatabaseNamed, aGroup, TENANTS } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

test("refuses to delete the group of a declared database after a switch to `driftDetection: always`", async () => {
  const here = await engineFixture();
  const stack = fakeStack({ api: here.api });
  const tenants = aGroup({ ...TENANTS, forceDestroy: true });
  const inside = aDatabaseNamed("inside", "tenants");
  await stack.run(programOf({ tenants, inside: { ...inside, dependsOn: "tenants" } }), { preview: false });

  // The engine reads resources only if the update before has said so.
  const { failure } = await stack.run(programOf({ inside }), { preview: false, readsFirst: false });
  expect(failure).toContain('the program still declares database "inside"');
  expect(await here.databases()).toHaveProperty("inside");
});
