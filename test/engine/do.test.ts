// @module-tag more

import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { engineFixture } from "./engine-fixture";

test("`pulumi do` lists and reads live and deleted databases, calls functions, and changes nothing", async () => {
  const here = await engineFixture();
  const [orders, lost] = [await here.createDatabase("orders"), await here.createDatabase("lost")];
  await here.deleteDatabase(lost);
  here.takeWrites();
  const stack = await here.stack(async () => undefined);
  const shell = async (...args: string[]) => {
    const plugin = ["--package", join(root, "pulumi-resource-dbplatform"), "--stateless"];
    return stack.cli("do", ...plugin, ...args);
  };
  const json = async (...args: string[]) => JSON.parse((await shell(...args)).output);

  expect(await json("dbplatform:index:Database", "list")).toEqual([{ id: orders, name: "orders" }]);
  expect(await json("dbplatform:index:Database", "list", "--deleted")).toEqual([{ id: lost, name: "lost" }]);
  expect((await shell("dbplatform:index:Database", "read", orders)).output).toMatch(/hostname"?\s*: "orders-acme/);
  const deleted = await shell("dbplatform:index:Database", "read", lost);
  expect(deleted.code).not.toBe(0);
  expect(deleted.output).toMatch(new RegExp(`"lost" \\(${lost}\\) was deleted on .* can be restored`));

  expect((await json("dbplatform:index:getDeletedDatabases")).databases).toMatchObject([{ dbId: lost }]);
  const { entries } = await json("dbplatform:index:getAuditLogs", "--limit", "1");
  expect(entries).toMatchObject([{ code: "db-delete" }]);
  expect(here.takeWrites()).toEqual([]);
});
