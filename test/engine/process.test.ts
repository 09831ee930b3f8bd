// @module-tag failures-and-interruptions
// @module-tag no-false-differences

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { environmentFor } from "../../tools/reference";
import { root } from "../../tools/run";
import { faultyWire } from "../faulty-wire";
import { full } from "../full";
import { type Declaration, outputOf, writeProgram } from "./crash";
import { engineFixture } from "./engine-fixture";
import { allGone } from "./running";
import type { Stack } from "./stack";

/** Writes a program with two databases. The second has a generated name and depends on the first. */
function write(stack: Stack, options: Declaration["options"] = {}): void {
  const type = "dbplatform:Database";
  const resources = {
    orders: { type, properties: { name: "orders", group: "default" }, options },
    later: { type, properties: { group: outputOf("orders.group") } },
  };
  writeProgram(stack.project, resources);
}

/** Creates a stack with a YAML program. Also returns `hit`, which waits until the platform has applied all faults. */
async function started() {
  const here = await engineFixture();
  const stack = await here.stack(async () => {}, { settings: { runtime: "yaml" } });
  write(stack);
  const hit = () => expect.poll(() => here.api.faults(), { timeout: 20_000 }).toEqual([]);
  return { here, stack, hit };
}

const AT_ONCE_MS = 20_000;
const UP = ["up", "--yes", "--skip-preview"];

test("the provider exits when its engine is killed during a request", async () => {
  const { here, stack, hit } = await started();
  here.api.fault({ operation: "createDatabase", hang: true });
  const run = stack.begin(UP);
  await hit();
  const providers = run.providers();
  expect(providers.length).toBeGreaterThan(0);
  run.signal("SIGKILL");
  await allGone(providers);
});

test("finishes and records the current operation after Ctrl-C, and starts no further operations", async () => {
  const { here, stack, hit } = await started();
  here.api.fault({ operation: "createDatabase", latency: 1_500 });
  const run = stack.begin(UP);
  await hit();
  const providers = run.providers();
  run.signal("SIGINT");
  expect(await run.ended()).not.toMatchObject({ code: 0 });
  await allGone(providers);
  const { orders, ...others } = await here.databases();
  expect(others).toEqual({});
  expect(JSON.stringify(await stack.exportState())).toContain(orders);
  expect(await stack.cli(...UP)).toMatchObject({ code: 0 });
  expect(await here.databases()).toMatchObject({ orders });
  expect(here.takeWrites()).toEqual(["createDatabase", "createDatabase"]);
});

test("stops immediately after a second Ctrl-C, and the next run explains how to import the new database", {
  tags: "more",
}, async () => {
  const { here, stack, hit } = await started();
  here.api.fault({ operation: "createDatabase", hang: "after" });
  const run = stack.begin(UP);
  await hit();
  const providers = run.providers();
  run.signal("SIGINT");
  await expect.poll(() => run.output).toContain("press ^C again");
  run.signal("SIGINT");
  const begun = performance.now();
  expect(await run.ended()).not.toMatchObject({ code: 0 });
  await allGone(providers);
  expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
  const { orders } = await here.databases();
  const refused = await stack.cli(...UP);
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("interrupted while creating");
  expect(refused.output).toContain(`\`import: "${orders}"\``);
  write(stack, { import: orders });
  expect(await stack.cli(...UP)).toMatchObject({ code: 0 });
  expect(await here.databases()).toMatchObject({ orders });
});

test("after Ctrl-C, an update of several databases records which of them have their migrations", {
  tags: "more",
}, async () => {
  const here = await engineFixture({ sql: true });
  const wire = await faultyWire(here.api.url);
  for (const name of ["a", "b", "c", "d"]) await here.createDatabase(name);
  const environment = environmentFor({ ...here.api, url: wire.url });
  const stack = await here.stack(async () => {}, { settings: { runtime: "yaml" }, environment });
  mkdirSync(join(stack.project, "sql"));
  writeFileSync(join(stack.project, "sql/0001_orders.sql"), "create table orders (item text)");
  const schema = {
    type: "dbplatform:DatabaseMigrations",
    properties: { group: "default", folder: "sql", parallel: 1 },
  };
  writeProgram(stack.project, { schema });
  const { databaseCount } = await upTo(0);
  expect(databaseCount).toBe(4);

  writeFileSync(join(stack.project, "sql/0002_amount.sql"), "alter table orders add amount integer");
  expect(await upTo(2)).toMatchObject({ behindCount: 2, behind: ["c", "d"], restorePoint: expect.any(String) });
  expect(await upTo(0)).toMatchObject({ behindCount: 0, behind: [] });

  /** Runs an update, interrupts it in the transaction with this number, and returns the recorded outputs. */
  async function upTo(interruptedAt: number) {
    const run = stack.begin(UP);
    let begun = 0;
    wire.trouble = ({ path }) =>
      path.startsWith("/sql/")
        ? async (exchange) => {
            if (exchange.body.includes("BEGIN") && ++begun === interruptedAt) {
              run.signal("SIGINT");
              await expect.poll(() => run.output, { timeout: 20_000 }).toContain("press ^C again");
            }
            const { status, text } = await exchange.forward();
            exchange.send(status, text);
          }
        : undefined;
    const { code } = await run.ended();
    expect(code === 0, run.output).toBe(interruptedAt === 0);
    const { deployment } = await stack.exportState();
    return deployment.resources.find((one: { type: string }) => one.type.includes("DatabaseMigrations")).outputs;
  }
});

test("prints only the plugin's port to standard output", async () => {
  const plugin = spawn(join(root, "pulumi-resource-dbplatform"), [], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  let output = "";
  plugin.stdout.on("data", (text) => {
    output += text;
  });
  await expect.poll(() => output).toMatch(/^\d+\n$/);
});

test.runIf(full)("a provider started by hand for debugging serves several engines in turn", async () => {
  const { here, stack } = await started();
  const env = stack.environment;
  const plugin = spawn(join(root, "pulumi-resource-dbplatform"), [], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  const port = await new Promise((resolve) => plugin.stdout.once("data", (text) => resolve(String(text).trim())));
  stack.setEnvironment({ PULUMI_DEBUG_PROVIDERS: `dbplatform:${port}` });
  for (const args of [["preview"], ["up", "--yes", "--skip-preview"], ["destroy", "--yes", "--skip-preview"]])
    expect(await stack.cli(...args)).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["createDatabase", "createDatabase", "deleteDatabaseById", "deleteDatabaseById"]);
  expect(plugin.exitCode).toBeNull();
});
