// @module-tag more
// @module-tag no-database-is-lost

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as plugin from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { createOnlyIgnored } from "../../kit/lifecycle/messages";
import { dumpMissing } from "../../provider/resources/database/messages";
import { blocksOf } from "../docs/blocks";
import { type EngineFixture, engineFixture } from "./engine-fixture";

const DUMP = "create table t (x);";

const sizeOf = async ({ api, outside }: EngineFixture, databaseName: string) =>
  (await outside.retrieveDatabaseUsage({ organizationSlug: api.organization, databaseName })).database.usage
    ?.storage_bytes;

test("seeds each database once, from another database or a dump, and warns once about a changed seed", async () => {
  const here = await engineFixture();
  const orders = await here.createDatabase("orders");
  const timestamp = (await here.api.clock.now()).toISOString();
  here.takeWrites();
  const seeds: Record<string, plugin.DatabaseArgs["seed"]> = {
    copy: { database: "orders", timestamp },
    dumped: { dumpFile: "dumps/orders.sql" },
    fetched: { dumpUrl: "https://dumps.example.com/orders.sql?signature=s3cret" },
  };
  const more: plugin.DatabaseArgs[] = [];
  const stack = await here.stack(async () => {
    const [copy] = Object.entries(seeds).map(
      ([name, seed]) => new plugin.Database(name, { name, group: "default", seed, sizeLimit: "1gb" }),
    );
    for (const [index, args] of more.entries()) new plugin.Database(`more-${index}`, args);
    return { parent: copy?.parent };
  });
  const dumps = join(stack.folder, "project/dumps");
  mkdirSync(dumps);
  writeFileSync(join(dumps, "orders.sql"), DUMP);

  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites().sort()).toEqual(["createDatabase", "createDatabase", "createDatabase", "uploadDump"]);
  expect(await stack.outputs()).toEqual({ parent: { dbId: orders, name: "orders", branchedAt: timestamp } });
  expect(await sizeOf(here, "dumped")).toBe(DUMP.length);
  expect(stack.filesWith("s3cret")).toEqual([]);
  expect(stack.filesWith(DUMP)).toEqual(["./project/dumps/orders.sql"]);

  rmSync(dumps, { recursive: true });
  seeds.copy = { database: "sales" };
  const changed = await stack.up({ expectNoChanges: true });
  expect(changed).toMatchObject({ code: 0 });
  expect(changed.output).toContain(
    createOnlyIgnored({ property: "seed", title: "database", advice: "" }).split("database")[0],
  );
  const again = await stack.up({ expectNoChanges: true });
  expect(again).toMatchObject({ code: 0 });
  expect(again.output).not.toContain("`seed`");
  expect(here.takeWrites()).toEqual([]);

  more.push({ group: "default", seed: { dumpFile: "dumps/orders.sql" } });
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(`seed.dumpFile: ${dumpMissing({ file: join(dumps, "orders.sql") })}`);
});

test("the first program of docs/seeds.md runs as it stands", async () => {
  const here = await engineFixture();
  const stack = await here.stack("quickstart");
  const [program] = blocksOf("docs/seeds.md").filter(({ language }) => language === "typescript");
  writeFileSync(join(stack.project, "index.ts"), program?.text ?? "");
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { copiedFrom } = await stack.outputs();
  expect(Object.values(await here.databases())).toContain(copiedFrom);
});
