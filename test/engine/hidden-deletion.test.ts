import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { describe, expect, test } from "vitest";
import {
  planHidesDeleted,
  restorableUnseen,
  restoreUnseen,
  UPGRADE_TO_RESTORE,
} from "../../provider/resources/messages";
import { engineFixture } from "./engine-fixture";

const organizationSlug = "acme";

/** The reason that error messages give if the organization's plan does not list deleted resources. */
const HIDDEN_BY_PLAN = planHidesDeleted({ organization: "acme" });

describe("§3 a deleted resource on a plan that does not list deleted resources", () => {
  test("stays in the state until it is replaced or, after a plan upgrade, restored", async () => {
    const here = await engineFixture();
    const options: CustomResourceOptions = {};
    const stack = await here.stack(async () => {
      const group = new dbplatform.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
      const inside = new dbplatform.Database("inside", { name: "inside", group: group.id });
      const { dbId } = new dbplatform.Database("orders", { name: "orders", group: "default" }, { ...options });
      return { group: group.id, inside: inside.dbId, dbId };
    });
    await stack.deploy();
    const first = (await stack.outputs()) as { dbId: string; inside: string };
    await here.delete(first.dbId);
    await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
    await here.api.plan("starter");
    here.writes();

    expect((await stack.refresh()).output).toContain(
      restorableUnseen({ kind: "database", name: "orders", id: first.dbId, hiddenBecause: HIDDEN_BY_PLAN }),
    );
    for (const { code, output } of [await stack.preview(), await stack.up()]) {
      expect(code).not.toBe(0);
      expect(output).toContain(
        restoreUnseen({ kind: "database", hiddenBecause: HIDDEN_BY_PLAN, advice: UPGRADE_TO_RESTORE }),
      );
      expect(output).not.toContain("`pulumi up` restores");
    }
    expect(here.writes()).toEqual([]);
    expect(await stack.outputs()).toEqual(first);

    await here.api.plan("scaler");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.outputs()).toEqual(first);
    expect(await here.databases()).toEqual({ inside: first.inside, orders: first.dbId });

    await here.delete(first.dbId);
    await here.api.plan("starter");
    options.replaceOnChanges = ["deletedAt"];
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { orders } = await here.databases();
    expect(orders).not.toBe(first.dbId);

    await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
    here.writes();
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(here.writes()).toEqual(["deleteDatabaseById"]);
    expect(await here.databases()).toEqual({});
  });

  test("with dynamic providers, stays in the state, and is restored after a plan upgrade", {
    tags: "more",
  }, async () => {
    const here = await engineFixture();
    const stack = await here.stack(async () => {
      const group = new dynamic.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
      const { dbId } = new dynamic.Database("inside", { name: "inside", group: group.id });
      return { group: group.id, dbId };
    });
    await stack.deploy();
    const first = await stack.outputs();
    await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
    await here.api.plan("starter");
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    const refused = await stack.up();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(HIDDEN_BY_PLAN);
    await here.api.plan("scaler");
    expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
    expect(await stack.outputs()).toEqual(first);
    expect(await here.databases()).toEqual({ inside: first.dbId });

    await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
    await here.api.plan("starter");
    here.writes();
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(here.writes()).toEqual([]);
  });
});
