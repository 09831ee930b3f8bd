// @module-tag clear-messages

import { expect, test } from "vitest";
import { scopesMissing } from "../../provider/permissions/messages";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { aDatabaseNamed } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

test("names every missing scope at once when a restore fails whose deletion an earlier run has read", async () => {
  const here = await engineFixture();
  const { organizationId } = here.api;
  const stack = fakeStack({ api: here.api, settings: { organizationId, driftDetection: "on-refresh" } });
  const program = programOf({ orders: aDatabaseNamed("orders") });
  await stack.run(program, { preview: false });
  await here.deleteDatabase((await stack.managed()).get("orders")?.id ?? "");
  here.api.fault({ operation: "restoreDatabase", status: 400 });
  await stack.run(program, { preview: false, readsFirst: true });

  stack.useToken(await here.api.token({ group: "default", scopes: ["db:delete"] }));
  const { failure } = await stack.run(program, { preview: false });
  expect(failure).toContain(scopesMissing({ scopes: ["read", "db:create"] }));
});
