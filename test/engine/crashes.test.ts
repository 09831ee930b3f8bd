// @module-tag more
// @module-tag failures-and-interruptions

import { describe, expect, test } from "vitest";
import { creationUncertain } from "../../kit/lifecycle/messages";
import { TIME_LIMIT_EXCEEDED } from "../../provider/client/messages";
import { full } from "../full";
import { type CrashMoment, CrashScene, type Declaration, outputOf, type Program, type Victim } from "./crash";

const group = "default";
const database = (properties: object): Declaration => ({
  type: "dbplatform:Database",
  properties: { group, ...properties },
});
const token = (properties: object): Declaration => ({ type: "dbplatform:ApiToken", properties: { ...properties } });
const configuration = (properties: object): Declaration => ({
  type: "dbplatform:DatabaseConfiguration",
  properties: { ...properties },
});
const rotation = (quarter: string): Declaration => ({
  type: "dbplatform:SigningKeyRotation",
  properties: { database: outputOf("kept.dbId"), triggers: { quarter } },
});
const tenants: Declaration = {
  type: "dbplatform:Group",
  properties: { name: "tenants", location: "aws-us-east-1" },
};

const cases = (["provider", "engine", "platform"] as const).flatMap((victim) =>
  (["before an operation starts", "before a response is sent", "before the engine saves the result"] as const).map(
    (moment) => ({ victim, moment }),
  ),
);

/** How long an `up` may take, in seconds, including the engine's overhead. */
const A_WHILE = 20;
const A_MINUTE = 80;

/** Returns whether a crash loses the results of completed operations because the engine has not saved them yet. */
const isLost = (victim: Victim, moment: CrashMoment): boolean =>
  moment === "before a response is sent" || (moment === "before the engine saves the result" && victim === "engine");

/**
 * Asserts that each declared resource exists exactly once and is in the state.
 *
 * @param leftover Names of the objects that exist on the platform but are not in the state.
 */
async function mustBeAsDeclared(scene: CrashScene, leftover: readonly string[] = []) {
  const again = await scene.up("--expect-no-changes");
  expect(again, again.output).toMatchObject({ code: 0 });
  const recorded = await scene.recorded();
  expect(recorded.map(({ name }) => name).sort()).toEqual(Object.keys(scene.program).sort());
  const unmanaged = await scene.unmanaged();
  expect(unmanaged.map(({ name }) => name.replace(/-[0-9a-f]{7}$/, "-…")).sort()).toEqual(leftover);
  const ids = [...recorded, ...unmanaged].map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(Object.values(await scene.databases())));
}

describe.each(cases)("if the $victim is killed $moment", ({ victim, moment }) => {
  test.runIf(full || (victim === "engine" && moment === "before a response is sent"))(
    "creates, updates, replaces and restores each object only once, and later runs complete the update",
    async () => {
      const before: Program = {
        kept: database({ name: "kept" }),
        plain: database({ name: "plain" }),
        lost: database({ name: "lost" }),
        moved: database({ name: "moved" }),
        configuration: configuration({ database: outputOf("kept.dbId"), sizeLimit: "1gb" }),
        rotation: rotation("1"),
        turned: token({ keepers: { quarter: "1" } }),
      };
      const scene = await CrashScene.open(before);
      const made = await scene.ids();
      await scene.delete(made.lost ?? "");
      const after: Program = {
        ...before,
        moved: database({ name: "moved-2" }),
        configuration: configuration({ database: outputOf("kept.dbId"), sizeLimit: "2gb" }),
        rotation: rotation("2"),
        turned: token({ keepers: { quarter: "2" } }),
        orders: database({ name: "orders" }),
        unnamed: database({}),
        ci: token({ name: "ci", group, scopes: ["read"] }),
        unnamedToken: token({}),
        configured: configuration({ database: outputOf("plain.dbId"), allowAttach: true }),
        databaseToken: { type: "dbplatform:DatabaseToken", properties: { database: outputOf("plain.dbId") } },
        groupToken: { type: "dbplatform:GroupToken", properties: { group } },
      };
      const last =
        moment === "before the engine saves the result"
          ? { options: { dependsOn: Object.keys(after).map(outputOf) } }
          : {};
      scene.program = { ...after, tenants: { ...tenants, ...last } };
      await scene.crash({
        victim,
        moment,
        calls: {
          createDatabase: 3,
          createApiToken: 3,
          createGroup: 1,
          restoreDatabase: 1,
          updateDatabaseConfiguration: 2,
          createDatabaseTokenById: 1,
          createGroupTokenById: 1,
          rotateDatabaseTokens: 1,
        },
        later: { createGroup: 1 },
      });
      const lost = isLost(victim, moment);
      const named = ["ci", "moved", "orders", ...(moment === "before a response is sent" ? ["tenants"] : [])];
      expect((await scene.recover(victim)).sort()).toEqual(lost ? named : []);
      await mustBeAsDeclared(scene, lost ? ["turned-…", "unnamed-…", "unnamedtoken-…"] : []);

      const { kept, plain, lost: restored, movedAnew, moved = movedAnew } = await scene.ids();
      expect({ kept, plain, restored }).toEqual({ kept: made.kept, plain: made.plain, restored: made.lost });
      expect(await scene.databases()).toMatchObject({ kept, plain, lost: restored, "moved-2": moved });
      expect(await scene.databases()).not.toHaveProperty("moved");
      for (const name of ["databaseToken", "groupToken"])
        expect(await scene.platform.verify(await scene.tokenOf(name), plain)).toBeTruthy();
    },
  );

  test.runIf(full)(
    "deletes only objects that the program no longer declares, and the next run updates the state",
    async () => {
      const kept = { kept: database({ name: "kept" }) };
      const scene = await CrashScene.open({
        ...kept,
        tenants,
        removed: database({ name: "removed", group: outputOf("tenants.id") }),
        revoked: token({ name: "revoked", group: outputOf("tenants.id"), scopes: ["read"] }),
      });
      const made = await scene.ids();
      scene.program = kept;
      await scene.crash({
        victim,
        moment,
        calls: { deleteDatabaseById: 1, revokeApiToken: 1 },
        later: { deleteGroup: 1 },
      });
      expect(await scene.recover(victim)).toEqual([]);
      await mustBeAsDeclared(scene);
      expect(await scene.databases()).toEqual({ kept: made.kept });
    },
  );

  test.runIf(full)("keeps a deleted database in the state, and restores it in the next run", async () => {
    const scene = await CrashScene.open({ lost: database({ name: "lost" }), ci: token({ name: "ci" }) });
    const made = await scene.ids();
    await scene.delete(made.lost ?? "");
    await scene.revoke(made.ci ?? "");
    await scene.crash({
      victim,
      moment,
      calls: { listDatabases: 1, listApiTokens: 1 },
      later: { restoreDatabase: 1, createApiToken: 1 },
    });
    expect(await scene.databases()).toEqual({});
    expect(await scene.ids()).toMatchObject({ lost: made.lost });
    expect(await scene.recover(victim)).toEqual([]);
    await mustBeAsDeclared(scene);
    expect(await scene.databases()).toEqual({ lost: made.lost });
    expect((await scene.ids()).ci).not.toBe(made.ci);
  });

  test.runIf(full)("completes the import of a deleted database in the next run", async () => {
    const scene = await CrashScene.open({ kept: database({ name: "kept" }) });
    const { kept } = await scene.ids();
    const back = await scene.make("back");
    await scene.delete(back);
    scene.program = { ...scene.program, back: { ...database({ name: "back" }), options: { import: back } } };
    await scene.crash({ victim, moment, calls: { retrieveDatabaseById: 1 }, later: { restoreDatabase: 1 } });
    expect(await scene.databases()).toEqual({ kept });
    expect(await scene.recover(victim)).toEqual([]);
    await mustBeAsDeclared(scene);
    expect(await scene.databases()).toEqual({ kept, back });
  });
});

test.runIf(full)(
  "stops an operation when its `customTimeouts` limit expires, and resumes it in the next run",
  async () => {
    const options = { customTimeouts: { create: "2s", update: "2s", delete: "2s" } };
    const before = {
      lost: { ...database({ name: "lost" }), options },
      removed: { ...database({ name: "removed" }), options },
    };
    const scene = await CrashScene.open(before);
    const { lost = "" } = await scene.ids();
    await scene.delete(lost);
    const after = {
      ...before,
      orders: { ...database({ name: "orders" }), options },
      unnamed: { ...database({}), options },
      ci: { ...token({ name: "ci" }), options },
    };
    scene.program = after;
    const given = await scene.hang({ createDatabase: 2, createApiToken: 1, restoreDatabase: 1 });
    expect(given.output).toContain(TIME_LIMIT_EXCEEDED);
    expect(given.seconds).toBeLessThan(A_WHILE);
    expect((await scene.recover()).sort()).toEqual(["ci", "orders"]);
    await mustBeAsDeclared(scene, ["unnamed-…"]);
    expect(await scene.databases()).toMatchObject({ lost });

    const { removed, ...rest } = scene.program;
    scene.program = rest;
    expect((await scene.hang({ deleteDatabaseById: 1 })).seconds).toBeLessThan(A_WHILE);
    expect(await scene.recover()).toEqual([]);
    await mustBeAsDeclared(scene, ["unnamed-…"]);
    expect(await scene.databases()).not.toHaveProperty("removed");
  },
);

describe.runIf(full)("a request that the platform does not answer within a minute", { timeout: 400_000 }, () => {
  test("does not fail the update, and its effect is recorded in the state", async () => {
    const before = { lost: database({ name: "lost" }), removed: database({ name: "removed" }) };
    const scene = await CrashScene.open(before);
    const { lost = "" } = await scene.ids();
    await scene.delete(lost);
    scene.program = {
      lost: before.lost,
      orders: database({ name: "orders" }),
      unnamed: database({}),
      ci: token({ name: "ci" }),
      unnamedToken: token({}),
      tenants,
    };
    const calls = { createDatabase: 2, createApiToken: 2, createGroup: 1, restoreDatabase: 1, deleteDatabaseById: 1 };
    const { code, output, seconds } = await scene.hang(calls);
    expect(code, output).toBe(0);
    expect(output).toContain("was lost");
    expect(seconds).toBeLessThan(2 * A_MINUTE);
    await mustBeAsDeclared(scene);
    expect(await scene.databases()).toMatchObject({ lost });
  });

  test("is reported as possibly successful after Ctrl-C, and the next run shows how to import the object", async () => {
    const scene = await CrashScene.open({});
    scene.program = { orders: database({ name: "orders" }), ci: token({ name: "ci" }) };
    const { code, output, seconds } = await scene.hang({ createDatabase: 1, createApiToken: 1 }, "SIGINT");
    expect(code).not.toBe(0);
    expect(output).toContain(creationUncertain({ kind: "database", name: "orders", isGenerated: false }).answer);
    expect(seconds).toBeLessThan(A_MINUTE);
    expect((await scene.recover()).sort()).toEqual(["ci", "orders"]);
    await mustBeAsDeclared(scene);
  });
});
