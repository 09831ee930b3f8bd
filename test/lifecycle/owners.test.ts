// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { group } from "../../provider/resources/group/group";
import { apiToken } from "../../provider/resources/token/api-token";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { aGroup, inGroup, TENANTS } from "../stories/declarations";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

test("refuses to delete the group of a declared database after a switch to `driftDetection: always`", async () => {
  const here = await engineFixture();
  const stack = fakeStack({ api: here.api });
  const tenants = aGroup({ ...TENANTS, forceDestroy: true });
  const inside = inGroup("inside", "tenants");
  await stack.run(programOf({ tenants, inside: { ...inside, after: "tenants" } }), { preview: false });

  // The engine reads resources only if the update before has said so.
  const { failure } = await stack.run(programOf({ inside }), { preview: false, readsFirst: false });
  expect(failure).toContain('the program still declares database "inside"');
  expect(await here.databases()).toHaveProperty("inside");
});

test("replaces a token whose group `pulumi up --replace` deletes first, of which no comparison speaks", async () => {
  const here = await lifecycleFixture();
  const tenants = await create(group, TENANTS, here.context);
  const oldInputs = { name: "ci", group: "tenants", scopes: ["read"] };
  const token = await create(apiToken, oldInputs, here.context);
  const context = here.again();
  await remove(group, tenants, context);
  await create(group, TENANTS, context);
  const { differences } = await diff(apiToken, { ...token, oldInputs, news: oldInputs }, context);
  expect(differences).toMatchObject([{ path: "groupId", replaces: true }]);
});
