import { expect, test } from "vitest";
import type { Operation } from "../../platform/contract/api";
import { functions } from "../../provider/functions/list";
import { operationProblems, usersOfOperations } from "../../tools/operations-page";
import { ask } from "../functions/asking";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

test("finds every request that a function sends, and a reason for every unused operation", {
  tags: "more",
}, async () => {
  expect(operationProblems()).toEqual([]);
  const users = usersOfOperations();
  const here = await lifecycleFixture();
  let requests = 0;
  for (const { name, args } of functions) {
    if (!args.safeParse({}).success) continue;
    here.asked();
    await ask(name, {}, here.again()).catch(() => undefined);
    for (const operation of here.asked()) {
      requests++;
      expect(users.get(operation as Operation), `${operation} of ${name}`).toContain(name);
    }
  }
  expect(requests).toBeGreaterThan(9);
  expect(users.get("addMember")).toEqual(["Member"]);
  expect(users.get("wakeDatabase")).toEqual([]);
});
