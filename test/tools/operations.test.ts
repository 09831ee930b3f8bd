import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Operation } from "../../platform/contract/api";
import { withCreations } from "../../provider/adopt/audit-log";
import { takeDeletedInventory } from "../../provider/adopt/deleted";
import { takeInventory } from "../../provider/adopt/inventory";
import { readStates } from "../../provider/command/states";
import { COMMANDS, purposeOfLookUp } from "../../provider/lookups";
import { resources } from "../../provider/resources/list";
import { isUsed, OPERATIONS, operationProblems } from "../../tools/operations-page";
import { root } from "../../tools/run";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

test("every operation is either used or listed as unused with a reason", () => {
  expect(operationProblems()).toEqual([]);
});

test("the operations page lists an operation as used if and only if the code calls it", () => {
  const files = globSync("{kit,provider}/**/*.ts", { cwd: root });
  const called = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\.(\w+)\(/g)].map(([, name]) => name as Operation),
    ),
  );
  expect(OPERATIONS.filter((operation) => called.has(operation))).toEqual(OPERATIONS.filter(isUsed));
});

test("`dbplatform adopt` declares the API operations that it calls", async () => {
  const here = await lifecycleFixture();
  const types = resources.filter(({ list, single }) => list && !single).map(({ type }) => type);
  const { api } = here.context.platform.platform;
  await api.createDatabase({ body: { name: "orders", group: "default" } });
  await api.createGroup({ body: { name: "spare", location: "aws-us-east-1" } });
  await api.deleteGroup({ groupName: "spare" });
  here.takeOperations();
  const context = here.newProcess();
  const inventory = await takeInventory({ types, deleted: true }, await readStates([]), context);
  await withCreations(inventory, { unmanaged: true }, context.platform);
  await takeDeletedInventory({ types: [] }, context.platform);
  const asked = here.takeOperations() as Operation[];
  const declared = COMMANDS["dbplatform adopt"] ?? [];
  expect(asked).toEqual(expect.arrayContaining([...declared]));
  expect(
    asked.filter((operation) => !declared.includes(operation) && purposeOfLookUp(operation) === undefined),
  ).toEqual([]);
});
