// @module-tag more
// @module-tag no-database-is-lost

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import { expect, onTestFinished, test } from "vitest";
import { differenceKept } from "../../kit/lifecycle/restore/messages";
import { declaredIn, OTHER_STACKS } from "../../provider/restore/messages";
import { restoreCommand } from "../restore/restoring";
import { engineFixture } from "./engine-fixture";
import type { Stack } from "./stack";

/** Writes the states of stacks to files, and returns their paths. */
async function statesOf(stacks: Readonly<Record<string, Stack>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-undo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return Promise.all(
    Object.entries(stacks).map(async ([name, stack]) => {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, JSON.stringify({ version: 3, deployment: (await stack.exportState()).deployment }));
      return path;
    }),
  );
}

test("after `restore --yes`, the next preview of each stack that declares some of it is empty", async () => {
  const here = await engineFixture();
  const { api, outside, environment } = here;
  const slug = { organizationSlug: api.organization };
  const shop = await here.stack(
    async () => {
      const group = new dbplatform.Group("shop", { name: "shop", location: "aws-us-east-1" });
      const { dbId } = new dbplatform.Database("carts", { name: "carts", group: group.id });
      new dbplatform.DatabaseConfiguration("carts", { database: dbId, blockWrites: true });
      return { group: group.id, dbId, token: new dbplatform.GroupToken("app", { group: group.id }).token };
    },
    { project: "shop" },
  );
  const sales = await here.stack(async () => ({ dbId: new dbplatform.Database("orders", { group: "default" }).dbId }), {
    project: "sales",
  });
  await shop.deploy();
  await sales.deploy();
  await outside.createGroup({ ...slug, body: { name: "tenants", location: "aws-us-east-1" } });
  for (const name of ["tenant-1", "tenant-2"]) await here.createDatabase(name, "tenants");
  await here.createDatabase("stray");
  const before = await here.databases();
  const [outputs, states] = [await shop.outputs(), await statesOf({ shop, sales })];

  for (const groupName of ["shop", "tenants"]) await outside.deleteGroup({ ...slug, groupName });
  for (const id of Object.values(await here.databases())) await here.deleteDatabase(id);
  expect(await here.databases()).toEqual({});
  // The state then says that the database is deleted.
  expect(await sales.refresh()).toMatchObject({ code: 0 });

  const run = await restoreCommand(environment, ["--since", "10m", "--yes", ...states]);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/carts .* shop\/dev\n/);
  expect(run.stdout).toMatch(/tenant-1 .* with its group\n/);
  expect(run.stdout).toContain(
    `${declaredIn({ stacks: ["sales/dev", "shop/dev"], isStillDeleted: false })}\n${OTHER_STACKS}\n`,
  );
  expect(await here.databases()).toEqual(before);
  here.takeWrites();
  for (const stack of [shop, sales]) {
    const { code, output } = await stack.preview({ expectNoChanges: true });
    expect(code, output).toBe(0);
    expect(output).not.toContain("warning");
  }
  expect(await shop.outputs()).toEqual(outputs);
});

test("after `restore --rename`, the preview shows the new name, and `up` keeps both databases", async () => {
  const here = await engineFixture();
  const { environment } = here;
  const args = { name: "orders", group: "default" };
  const sales = await here.stack(
    async () => {
      new dbplatform.Database("orders", { ...args });
      new dbplatform.Database("carts", { name: "carts", group: "default" });
    },
    { project: "sales" },
  );
  await sales.deploy();
  const [states, { orders = "", carts = "" }] = [await statesOf({ sales }), await here.databases()];
  await here.deleteDatabase(orders);
  await here.deleteDatabase(carts);
  const successor = await here.createDatabase("orders");

  const partly = await restoreCommand(environment, ["--since", "10m", "--yes", ...states]);
  expect(partly.code, partly.stderr).toBe(7);
  expect(partly.stdout).toContain(`${declaredIn({ stacks: ["sales/dev"], isStillDeleted: true })}\n${OTHER_STACKS}\n`);
  expect((await sales.preview()).output).toContain(successor);

  const whole = await restoreCommand(environment, [
    ...["--since", "10m", "--rename", "{name}-restored", "--yes"],
    ...states,
  ]);
  expect(whole.code, whole.stderr).toBe(0);
  expect(whole.stdout).toContain(declaredIn({ stacks: ["sales/dev"], isStillDeleted: false }));
  const live = { "orders-restored": orders, orders: successor, carts };
  expect(await here.databases()).toEqual(live);

  const difference = { property: "name", is: "orders-restored", wanted: "orders" };
  const kept = differenceKept({ title: 'database "orders-restored"', id: orders, difference });
  for (const run of [await sales.preview(), await sales.up()]) {
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining(kept) });
    expect(run.output).not.toMatch(/replace[ds]?\b(?!ment)/);
  }
  expect(await here.databases()).toEqual(live);
  args.name = "orders-restored";
  expect(await sales.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
