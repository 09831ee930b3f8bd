// @module-tag more

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../docs/blocks";
import { engineFixture } from "./engine-fixture";
import { connect, fill, namesIn } from "./rows";
import { SEED } from "./seed";

const [kept = "", before = "", copied = "", after = ""] = blocksOf("docs/week-one.md").flatMap(({ language, text }) =>
  language === "typescript" ? [text] : [],
);

async function fixture() {
  const here = await engineFixture({ seed: SEED, sql: true });
  const stack = await here.stack("quickstart");
  const organizationSlug = here.api.organization;
  const declare = (program: string) => writeFileSync(join(stack.project, "index.ts"), program);
  const rowsOf = async (databaseName: string, dbId: unknown) => {
    const { jwt } = await here.outside.createDatabaseToken({ organizationSlug, databaseName });
    return connect(here.api, dbId, jwt);
  };
  declare(before);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { dbId } = await stack.outputs();
  await fill(await rowsOf("orders", dbId), "tea");
  return { here, stack, declare, rowsOf, old: dbId };
}

test("docs/week-one.md renames a database with its rows in two updates, and the old one can be restored", async () => {
  const { here, stack, declare, rowsOf, old } = await fixture();
  const named = (databaseName: string) => ({ organizationSlug: here.api.organization, databaseName });
  await here.outside.updateDatabaseConfiguration({ ...named("orders"), body: { size_limit: "1gb" } });
  declare(copied);
  const copying = await stack.preview();
  expect(copying.output).toContain("+ 1 to create");
  expect(copying.output).not.toMatch(/to (replace|delete)/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { dbId } = await stack.outputs();
  expect(dbId).not.toBe(old);
  expect((await here.outside.retrieveDatabaseConfiguration(named("sales"))).size_limit).toBe("");
  await fill(await rowsOf("orders", old), "coffee");
  expect(await namesIn(await rowsOf("sales", dbId))).toEqual(["tea"]);

  declare(after);
  expect((await stack.preview()).output).toContain("- 1 to delete");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ sales: dbId });
  expect(await namesIn(await rowsOf("sales", dbId))).toEqual(["tea"]);
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });

  const { organizationId } = here.api;
  await here.outside.restoreDatabase({ organizationId, databaseId: String(old), body: {} });
  expect(await namesIn(await rowsOf("orders", old))).toEqual(["coffee", "tea"]);
});

test("docs/week-one.md renames a database with its rows in one update, by `keepData`", async () => {
  const { here, stack, declare, rowsOf } = await fixture();
  declare(before.replace(/const orders = .*/, kept));
  expect((await stack.preview()).output).toMatch(/by a copy with its data and settings/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { dbId } = await stack.outputs();
  expect(await here.databases()).toEqual({ sales: dbId });
  expect(await namesIn(await rowsOf("sales", dbId))).toEqual(["tea"]);
});
