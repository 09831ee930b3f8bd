// @module-tag more
// @module-tag no-false-differences

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";
import type { Stack } from "./stack";

const ADDED = ["url", "httpUrl", "archived"];

/** Removes from the stack's state the outputs that earlier versions did not record. */
async function forgetAdded(stack: Stack): Promise<void> {
  const state = await stack.exportState();
  for (const { outputs } of state.deployment.resources) for (const name of ADDED) delete outputs?.[name];
  const file = join(stack.folder, "earlier.json");
  writeFileSync(file, JSON.stringify(state));
  expect(await stack.cli("stack", "import", "--file", file)).toMatchObject({ code: 0 });
}

const declared = (module: typeof dbplatform | typeof dynamic) => async () => {
  const { id, archived } = new module.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
  const { url, httpUrl } = new module.Database("orders", { name: "orders", group: id });
  return { url, httpUrl, archived };
};

const host = "orders-acme.aws-us-east-1.dbplatform.example";
const outputs = { url: `libsql://${host}`, httpUrl: `https://${host}`, archived: false };

test.each([
  ["the plugin reports", dbplatform, "always"],
  ["the plugin with `on-refresh` reports", dbplatform, "on-refresh"],
  ["the dynamic providers report", dynamic, "always"],
])("%s no drift for a state written by an earlier version", async (_, module, driftDetection) => {
  const here = await engineFixture();
  const stack = await here.stack(declared(module), { config: { "dbplatform:driftDetection": driftDetection } });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(outputs);
  await forgetAdded(stack);
  here.takeWrites();
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  const readsFirst = module === dbplatform && driftDetection === "always";
  expect(await stack.up({ refresh: !readsFirst })).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(outputs);
  expect(here.takeWrites()).toEqual([]);
});
