// @module-tag more

import { expect, test } from "vitest";
import { engineFixture } from "../engine-fixture";
import { commandsOf } from "./readme";

test("restores managed and unmanaged databases and a whole group, with their ids and configurations", async () => {
  const here = await engineFixture();
  const stack = await here.stack("restore");
  const story = await stack.shell(commandsOf("restore"));
  expect(story).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual([
    "createGroup",
    "createDatabase",
    "updateDatabaseConfiguration",
    "createDatabase",
    "deleteDatabase",
    "deleteDatabase",
    "restoreDatabase",
    "updateDatabaseConfiguration",
    "restoreDatabase",
    "deleteGroup",
    "restoreGroup",
    "updateDatabaseConfiguration",
  ]);
  const { ordersName, dbIds } = (await stack.outputs()) as { ordersName: string; dbIds: Record<string, string> };
  expect(await here.databases()).toEqual({ [ordersName]: dbIds.orders, archive: dbIds.archive });
});
