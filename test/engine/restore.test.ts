// @module-tag no-database-is-lost

import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { replacementOfRestoredRefused } from "../../kit/lifecycle/messages";
import { CHECK_ID, deletedObject, doesNotExist, restored, restorePlanned } from "../../kit/lifecycle/restore/messages";
import { objectNotFound } from "../../provider/resources/messages";
import { environmentFor } from "../../tools/reference";
import { faultyWire } from "../faulty-wire";
import { writeProgram } from "./crash";
import { type EngineFixture, engineFixture } from "./engine-fixture";

/** Returns what a run prints at its end about resources. */
const endOf = (output: string): string => /Diagnostics:\n(.*?)\n(Outputs|Resources):/s.exec(output)?.[1] ?? "";

async function deleted(here: EngineFixture): Promise<string> {
  const dbId = await here.createDatabase("orders");
  await here.deleteDatabase(dbId);
  here.takeWrites();
  return dbId;
}

test("`import` shows the restore of a deleted database in the preview, and restores it under its id in one `up`", async () => {
  const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
  const dbId = await deleted(here);
  const options: { import?: string } = { import: dbId };
  const stack = await here.stack(async () => {
    new dbplatform.Database("orders", { group: "default" }, { ...options });
  });
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.output).toContain("[diff: -deletedAt");
  expect(preview.output).toContain("can be restored with its data until 2026-03-06 12:00 UTC");
  expect(here.takeWrites()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["restoreDatabase"]);
  delete options.import;
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ orders: dbId });
});

test("`pulumi import` of a deleted database changes nothing, and the generated program restores it", async () => {
  const here = await engineFixture();
  const dbId = await deleted(here);
  const stack = await here.stack(async () => {}, { settings: { runtime: "yaml" } });
  const imported = await stack.cli("import", "dbplatform:index:Database", "orders", dbId, "--yes", "--out", "out.yaml");
  expect(imported).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);

  appendFileSync(join(stack.project, "Pulumi.yaml"), readFileSync(join(stack.project, "out.yaml"), "utf8"));
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["restoreDatabase"]);
  expect(await here.databases()).toEqual({ orders: dbId });
});

test("a preview ends with the restore that `up` will do, and `up` with the one that it has done", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const stack = await here.stack("quickstart");
  await stack.deploy();
  const [name = "", id = ""] = Object.entries(await here.databases())[0] ?? [];
  const title = `database "${name}"`;
  const deletion = `warning: Database "${name}" was deleted by ada (API) on`;
  const announced = restorePlanned({ title, id, brings: "with its data" });

  await here.deleteDatabase(id);
  const up = await stack.cli("up", "--yes");
  const [previewed = "", updated = ""] = up.output.split("Updating (dev):");
  expect(endOf(previewed)).toContain(deletion);
  expect(endOf(previewed).trim().split("\n").at(-1)).toContain(announced);
  expect(updated).not.toContain("was deleted");
  expect(endOf(updated).trim()).toMatch(new RegExp(`${restored({ title, brings: "with its data" })}$`));

  await here.deleteDatabase(id);
  for (const command of ["refresh --preview-only", "refresh --yes", "destroy --preview-only"]) {
    const { output } = await stack.cli(...command.split(" "));
    expect(output, command).toContain(deletion);
    expect(output, command).not.toContain(announced);
  }
  const unpreviewed = await stack.cli("up", "--yes", "--skip-preview");
  expect(endOf(unpreviewed.output).trim().split("\n").at(-1)).toContain(restored({ title, brings: "with its data" }));
  expect(await here.databases()).toEqual({ [name]: id });
});

test("does not replace a database that somebody restores between the preview and the update", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const wire = await faultyWire(here.api.url);
  const environment = environmentFor({ ...here.api, url: wire.url });
  const stack = await here.stack(async () => {}, { settings: { runtime: "yaml" }, environment });
  const up = (name: string) => {
    writeProgram(stack.project, { orders: { type: "dbplatform:Database", properties: { name, group: "default" } } });
    return stack.cli("up", "--yes");
  };
  expect(await up("orders")).toMatchObject({ code: 0 });
  const { orders = "" } = await here.databases();
  await here.deleteDatabase(orders);
  let lists = 0;
  wire.trouble = ({ operation }) =>
    operation === "listDatabases" && ++lists === 2
      ? async ({ forward, send }) => {
          await here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: orders });
          const { status, text } = await forward();
          send(status, text);
        }
      : undefined;
  const { code, output } = await up("purchases");
  expect(code).not.toBe(0);
  expect(output).toContain(restorePlanned({ title: 'database "orders"', id: orders, brings: "with its data" }));
  expect(output).toContain(replacementOfRestoredRefused({ kind: "database" }).answer);
  expect(await here.databases()).toEqual({ orders });
});

test("with `driftDetection: on-refresh`, leaves a deleted database alone until `up --refresh` restores it", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const args = { name: "orders", group: "default" };
  const stack = await here.stack(
    async () => {
      new dbplatform.Database("orders", { ...args });
    },
    { config: { "dbplatform:driftDetection": "on-refresh" } },
  );
  await stack.deploy();
  const made = await here.databases();
  await here.deleteDatabase(String(made.orders));
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  args.group = "other";
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("pulumi up --refresh");
  expect(await here.databases()).toEqual({});
  args.group = "default";
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(made);
});

test.each(["scaler", "starter"])(
  "with `replaceOnChanges`, replaces a deleted database by an empty one, on the plan %s",
  { tags: "more" },
  async (plan) => {
    const here = await engineFixture();
    const stack = await here.stack(async () => {
      new dbplatform.Database("orders", { group: "default" }, { replaceOnChanges: ["deletedAt"] });
    });
    await stack.deploy();
    const [dbId = ""] = Object.values(await here.databases());
    await here.deleteDatabase(dbId);
    await here.api.plan(plan);
    const { code, output } = await stack.up();
    expect(code).toBe(0);
    expect(output).toContain("replace");
    expect(Object.values(await here.databases())).toEqual([expect.not.stringContaining(dbId)]);
  },
);

test("reads a live database with `.get`, and explains how to restore a deleted database", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const dbId = await here.createDatabase("orders");
  here.takeWrites();
  const stack = await here.stack(async () => {
    const { name, groupName, hostname } = dbplatform.Database.get("found", dbId);
    return { name, groupName, hostname };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const found = { name: "orders", groupName: "default", hostname: expect.stringMatching(/^orders-/) };
  expect(await stack.outputs()).toEqual(found);
  expect(here.takeWrites()).toEqual([]);

  await here.deleteDatabase(dbId);
  const { code, output } = await stack.preview();
  expect(code).not.toBe(0);
  expect(output).toContain(`database "orders" (${dbId}) was deleted on`);
  const deleted = { deletedAt: "2026-11-22T07:17:00Z", restorable: "" };
  expect(output).toContain(deletedObject({ kind: "database", title: "", id: dbId, ...deleted }).advice);
  expect(output).not.toContain("restores it");

  const id = "00000000-0000-4000-8000-000000000000";
  stack.program = async () => void dbplatform.Database.get("found", id);
  const absent = await stack.preview();
  expect(absent.code).not.toBe(0);
  expect(absent.output).toContain(`resource '${id}' does not exist`);
  const reason = objectNotFound({ kind: "database", id, organization: "acme" });
  expect(absent.output).toContain(doesNotExist({ kind: "database", reason, advice: CHECK_ID }));
});
