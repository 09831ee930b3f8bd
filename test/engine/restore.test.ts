// @module-tag no-database-is-lost

import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { describe, expect, test } from "vitest";
import {
  CHECK_ID,
  createInstead,
  deletedObject,
  deletionMessage,
  doesNotExist,
  noLongerExists,
  restored,
  restorePlanned,
  stillDeleted,
} from "../../kit/lifecycle/restore/messages";
import { adminNeeded, scopesMissing } from "../../provider/permissions/messages";
import { WITH_DATA } from "../../provider/resources/database/messages";
import { objectNotFound, planHidesDeleted, recoveryDisabledIn } from "../../provider/resources/messages";
import { type EngineFixture, engineFixture, environmentOf } from "./engine-fixture";
import type { Stack } from "./stack";

/** Returns what a run prints at its end about resources. */
const endOf = (output: string): string => /Diagnostics:\n(.*?)\n(Outputs|Resources):/s.exec(output)?.[1] ?? "";

const FIVE_DAYS = 5 * 24 * 60 * 60;

async function declared(world: EngineFixture, args: dbplatform.DatabaseArgs, options: CustomResourceOptions = {}) {
  const stack = await world.stack(async () => {
    const { dbId, hostname, name } = new dbplatform.Database("orders", { ...args }, { ...options });
    return { dbId, hostname, name };
  });
  return { stack, args, options };
}

async function deleted(world: EngineFixture, name = "orders", group = "default"): Promise<string> {
  const dbId = await world.database(name, group);
  await world.delete(dbId);
  world.writes();
  return dbId;
}

describe("§4.1 `import` of a deleted database", () => {
  test("shows the deletion time and the restore deadline in the preview, and changes nothing", async () => {
    const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
    const dbId = await deleted(here);
    const { stack } = await declared(here, { group: "default" }, { import: dbId });
    const preview = await stack.preview();
    expect(preview).toMatchObject({ code: 0 });
    expect(preview.output).toContain("[diff: -deletedAt");
    const deletion = { deletedAt: "2026-03-01T12:00:00Z", restorableUntil: "2026-03-06T12:00:00Z" };
    expect(preview.output).toContain(
      deletionMessage({ title: 'database "orders"', id: dbId, brings: WITH_DATA, deletion }),
    );
    expect(await here.databases()).toEqual({});
    expect(here.writes()).toEqual([]);
  });

  test("restores the database under its original name in one `up`, and later runs change nothing", async () => {
    const here = await engineFixture();
    const dbId = await deleted(here);
    const { stack, options } = await declared(here, { group: "default" }, { import: dbId });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(here.writes()).toEqual(["restoreDatabase"]);
    expect(await here.databases()).toEqual({ orders: dbId });
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
    options.import = undefined as never;
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(here.writes()).toEqual([]);
  });

  test("restores the database under the name in the program, and derives the hostname from that name", {
    tags: "more",
  }, async () => {
    const here = await engineFixture();
    const dbId = await deleted(here);
    const { stack } = await declared(here, { group: "default", name: "fresh" }, { import: dbId });
    const preview = await stack.preview();
    expect(preview.output).toContain("~name");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.outputs()).toMatchObject({
      dbId,
      name: "fresh",
      hostname: expect.stringMatching(/^fresh-acme\./),
    });
    expect(await here.databases()).toEqual({ fresh: dbId });
  });

  test("also restores the database's deleted group, but not the group's other databases", async () => {
    const here = await engineFixture();
    const { api, outside } = here;
    const [orders, sibling] = [await here.database("orders", "other"), await here.database("sibling", "other")];
    await outside.deleteGroup({ organizationSlug: api.organization, groupName: "other" });
    const { stack, options } = await declared(here, { group: "other" }, { import: orders });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ orders });
    const { groups } = await outside.listGroups({ organizationSlug: api.organization });
    expect(groups.map(({ name }) => name)).toContain("other");
    options.import = undefined as never;
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    Object.assign(options, { import: sibling });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ sibling });
  });

  test("fails if no database ever had the id, and explains what to do", { tags: "more" }, async () => {
    const here = await engineFixture();
    const id = "00000000-0000-4000-8000-000000000000";
    const { stack } = await declared(here, { group: "default" }, { import: id });
    const preview = await stack.preview();
    expect(preview.code).not.toBe(0);
    expect(preview.output).toContain(objectNotFound({ kind: "database", id, organization: "acme" }));
    expect(preview.output).toContain(createInstead({ kind: "database", isRestorable: true }));
    expect(here.writes()).toEqual([]);
  });
});

describe("§7 the preview of a restore", () => {
  interface Scene {
    readonly here: EngineFixture;
    readonly stack: Stack;
    readonly args: dbplatform.DatabaseArgs;
  }

  interface Cause {
    readonly says: string;
    /** Set if the credential lacks permission to restore databases. The preview then only warns; the update fails. */
    readonly isOfCredential?: true;
    arrange(scene: Scene): Promise<unknown>;
    mend(scene: Scene): Promise<unknown>;
  }

  const recovery = ({ api, outside }: EngineFixture, restore_enabled: boolean) =>
    outside.updateOrganization({ organizationSlug: api.organization, body: { restore_enabled } });

  async function useToken({ here, stack }: Scene, token: Parameters<EngineFixture["api"]["token"]>[0]): Promise<void> {
    stack.setEnvironment(environmentOf(here.api, "acme", await here.api.token(token)));
  }

  const causes: Record<string, Cause> = {
    "the name is taken": {
      says: 'database name "orders" is already in use by',
      arrange: ({ here }) => here.database("orders", "other"),
      mend: async ({ here }) => here.delete((await here.databases()).orders ?? ""),
    },
    "the program names another group": {
      says: "it was deleted with group:",
      arrange: async ({ args }) => Object.assign(args, { group: "other" }),
      mend: async ({ args }) => Object.assign(args, { group: "default" }),
    },
    "recovery is disabled": {
      says: recoveryDisabledIn({ organization: "acme" }),
      arrange: ({ here }) => recovery(here, false),
      mend: ({ here }) => recovery(here, true),
    },
    "the plan is free": {
      says: planHidesDeleted({ organization: "acme" }),
      arrange: ({ here }) => here.api.plan("starter"),
      mend: ({ here }) => here.api.plan("scaler"),
    },
    "the caller is neither admin nor owner": {
      says: adminNeeded({ work: "restoring", organization: "acme", username: "max", role: "member" }),
      isOfCredential: true,
      arrange: (scene) => useToken(scene, { user: "max" }),
      mend: ({ here }) => here.api.member("max", "admin"),
    },
    "the token lacks the scope": {
      says: scopesMissing({ scopes: ["db:create"] }),
      isOfCredential: true,
      arrange: (scene) => useToken(scene, { group: "default", scopes: ["read"] }),
      mend: (scene) => useToken(scene, { group: "default", scopes: ["read", "db:create"] }),
    },
  };

  test("reports every problem and changes nothing; the update succeeds once the problems are solved", {
    tags: "more",
  }, async () => {
    const here = await engineFixture();
    const dbId = await deleted(here);
    const args: dbplatform.DatabaseArgs = { group: "default" };
    const stack = await here.stack(
      async () => {
        new dbplatform.Database("orders", { ...args }, { import: dbId });
      },
      { config: { "dbplatform:organizationId": here.api.organizationId } },
    );
    for (const [cause, { says, isOfCredential, arrange, mend }] of Object.entries(causes)) {
      await arrange({ here, stack, args });
      here.writes();
      const before = await here.databases();
      const preview = await stack.preview();
      expect(preview.code === 0, cause).toBe(Boolean(isOfCredential));
      expect(preview.output).toContain(says);
      expect(preview.output).not.toContain("`pulumi up` restores");
      if (isOfCredential || cause === "the name is taken") {
        const refused = await stack.up();
        expect(refused.code, cause).not.toBe(0);
        expect(refused.output).toContain(says);
      }
      expect(here.writes()).toEqual([]);
      expect(await here.databases()).toEqual(before);
      await mend({ here, stack, args });
    }
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toMatchObject({ orders: dbId });
  });

  test("succeeds, but the update fails if the restore deadline passes between preview and update", async () => {
    const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
    const dbId = await deleted(here);
    const { stack, options } = await declared(here, { group: "default" }, { import: dbId });
    await here.api.advance(FIVE_DAYS);
    expect(await stack.preview()).toMatchObject({ code: 0 });
    await here.api.advance(1);
    const refused = await stack.up();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(objectNotFound({ kind: "database", id: dbId, organization: "acme" }));
    expect(here.writes()).toEqual([]);
    options.import = undefined as never;
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(Object.values(await here.databases())).not.toContain(dbId);
  });
});

describe("§3 a database deleted outside Pulumi", () => {
  test("is reported by a preview and restored with its data by `up`, both without `--refresh`", async () => {
    const here = await engineFixture();
    const { stack } = await declared(here, { group: "default" });
    await stack.deploy();
    const { dbId, name } = (await stack.outputs()) as { dbId: string; name: string };

    await here.delete(dbId);
    here.writes();
    const preview = await stack.preview({ expectNoChanges: true });
    expect(preview.code).toBe(7);
    expect(preview.output).toContain(`warning: Database "${name}" was deleted by ada (API) on`);
    expect(preview.output).toContain("[diff: -deletedAt");
    expect(here.writes()).toEqual([]);
    const up = await stack.up();
    expect(up.code).toBe(0);
    const updated = up.output.split("\n").find((line) => line.includes(" updated "));
    expect(updated).toContain(restored({ title: `database "${name}"`, brings: "with its data" }));
    expect(here.writes()).toEqual(["restoreDatabase"]);
    expect(await here.databases()).toEqual({ [name]: dbId });
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

    await here.delete(dbId);
    const refreshed = await stack.refresh();
    expect(refreshed.output).toContain("[diff: +deletedAt");
    expect(await here.databases()).toEqual({});
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ [name]: dbId });
  });

  test("is announced by a preview, and `up` ends with `Restored`, not with the warning of its preview", {
    tags: "more",
  }, async () => {
    const here = await engineFixture();
    const stack = await here.stack("quickstart");
    await stack.deploy();
    const [name = "", id = ""] = Object.entries(await here.databases())[0] ?? [];
    const title = `database "${name}"`;
    const deletion = `warning: Database "${name}" was deleted by ada (API) on`;
    const announced = restorePlanned({ title, id, brings: "with its data" });

    await here.delete(id);
    const preview = await stack.cli("preview");
    expect(endOf(preview.output)).toContain(deletion);
    expect(endOf(preview.output).trim().split("\n").at(-1)).toContain(announced);
    const up = await stack.cli("up", "--yes");
    const [previewed = "", updated = ""] = up.output.split("Updating (dev):");
    expect(endOf(previewed)).toContain(announced);
    expect(updated).not.toContain("was deleted");
    expect(endOf(updated).trim()).toMatch(new RegExp(`${restored({ title, brings: "with its data" })}$`));

    await here.delete(id);
    await stack.cli("preview");
    for (const command of ["refresh --preview-only", "refresh --yes", "destroy --preview-only"]) {
      const { output } = await stack.cli(...command.split(" "));
      expect(output, command).toContain(deletion);
      expect(output, command).not.toContain(announced);
    }
    const unpreviewed = await stack.cli("up", "--yes", "--skip-preview");
    expect(endOf(unpreviewed.output).trim().split("\n").at(-1)).toContain(restored({ title, brings: "with its data" }));
    expect(await here.databases()).toEqual({ [name]: id });
  });

  test("is reported but not announced if `ignoreChanges` leaves it deleted or the program no longer declares it", {
    tags: "more",
  }, async () => {
    const here = await engineFixture();
    const { stack, options } = await declared(here, { group: "default" });
    await stack.deploy();
    const [name = "", id = ""] = Object.entries(await here.databases())[0] ?? [];
    await here.delete(id);
    const deletion = `warning: Database "${name}" was deleted by ada (API) on`;
    options.ignoreChanges = ["deletedAt"];
    const ignored = await stack.preview();
    expect(ignored.output).toContain(deletion);
    const [stays = ""] = stillDeleted({ kind: "database", title: `database "${name}"`, id }).split(". ");
    expect(ignored.output).toContain(stays);
    expect(ignored.output).not.toContain("`pulumi up` restores");
    stack.program = async () => {};
    const removed = await stack.preview();
    expect(removed.output).toContain(deletion);
    expect(removed.output).not.toContain("`pulumi up` restores");
  });

  test("counts as restored when another user restores it before `up`", { tags: "more" }, async () => {
    const here = await engineFixture();
    const { stack } = await declared(here, { group: "default" });
    await stack.deploy();
    const { dbId } = (await stack.outputs()) as { dbId: string };
    await here.delete(dbId);
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    await here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: dbId });
    here.writes();
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(here.writes()).toEqual([]);
  });

  test("is ignored with `driftDetection: on-refresh` until `up --refresh` restores it", { tags: "more" }, async () => {
    const here = await engineFixture();
    const stack = await here.stack(
      async () => {
        const { dbId, name } = new dbplatform.Database("orders", { group: "default" });
        return { dbId, name };
      },
      { config: { "dbplatform:driftDetection": "on-refresh" } },
    );
    await stack.deploy();
    const { dbId, name } = (await stack.outputs()) as { dbId: string; name: string };
    await here.delete(dbId);
    expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({});
    expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ [name]: dbId });
  });

  test("can no longer be restored after five days, and is replaced by an empty database", {
    tags: "more",
  }, async () => {
    const here = await engineFixture({ now: "2026-03-01T12:00:00Z" });
    const { stack } = await declared(here, { group: "default" });
    await stack.deploy();
    const { dbId, name } = (await stack.outputs()) as { dbId: string; name: string };
    await here.delete(dbId);
    await here.api.advance(FIVE_DAYS + 1);
    const preview = await stack.preview();
    expect(preview.output).toContain(noLongerExists({ title: `database "${name}"`, reason: "" }).slice(0, -1));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(Object.values(await here.databases())).toEqual([expect.not.stringContaining(dbId)]);
  });

  test.each(["scaler", "starter"])(
    "with `replaceOnChanges`, is replaced by an empty database, on the plan %s",
    { tags: "more" },
    async (plan) => {
      const here = await engineFixture();
      const { stack } = await declared(here, { group: "default" }, { replaceOnChanges: ["deletedAt"] });
      await stack.deploy();
      const { dbId } = (await stack.outputs()) as { dbId: string };
      await here.delete(dbId);
      await here.api.plan(plan);
      expect((await stack.preview()).output).toContain("replace");
      expect(await stack.up()).toMatchObject({ code: 0 });
      expect(Object.values(await here.databases())).toEqual([expect.not.stringContaining(dbId)]);
    },
  );

  test("stays deleted after `destroy`", { tags: "more" }, async () => {
    const here = await engineFixture();
    const { stack } = await declared(here, { group: "default" });
    await stack.deploy();
    const { dbId } = (await stack.outputs()) as { dbId: string };
    await here.delete(dbId);
    here.writes();
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(here.writes()).not.toContain("restoreDatabase");
    expect(await here.databases()).toEqual({});
  });
});

describe("`import` on a resource that already manages the database", () => {
  test("rejects the database's name or an uppercase id, and deletes nothing", { tags: "more" }, async () => {
    const here = await engineFixture();
    const { stack, options } = await declared(here, { group: "default", name: "orders" });
    await stack.deploy();
    const { orders = "" } = await here.databases();
    for (const written of ["orders", orders.toUpperCase()]) {
      options.import = written;
      for (const refused of [await stack.preview(), await stack.up()]) {
        expect(refused.code).not.toBe(0);
        expect(refused.output).toContain(`\`import: "${orders}"\``);
      }
    }
    expect(await here.databases()).toEqual({ orders });
    options.import = orders;
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({ orders });
  });
});

test("reads a live database with `.get`, and explains how to restore a deleted database", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  const dbId = await here.database("orders");
  here.writes();
  const stack = await here.stack(async () => {
    const { name, groupName, hostname } = dbplatform.Database.get("found", dbId);
    return { name, groupName, hostname };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const found = { name: "orders", groupName: "default", hostname: expect.stringMatching(/^orders-/) };
  expect(await stack.outputs()).toEqual(found);
  expect(here.writes()).toEqual([]);

  await here.delete(dbId);
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

test("`pulumi import` of a deleted database changes nothing, and the generated program restores it", async () => {
  const here = await engineFixture();
  const dbId = await deleted(here);
  const stack = await here.stack(async () => {}, { settings: { runtime: "yaml" } });
  const project = join(stack.folder, "project");
  const imported = await stack.cli("import", "dbplatform:index:Database", "orders", dbId, "--yes", "--out", "out.yaml");
  expect(imported).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual([]);

  appendFileSync(join(project, "Pulumi.yaml"), readFileSync(join(project, "out.yaml"), "utf8"));
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["restoreDatabase"]);
  expect(await here.databases()).toEqual({ orders: dbId });
});
