// @module-tag previews-are-true

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { describe, expect, test } from "vitest";
import { operationImpossible, tokenLacksAccess } from "../../kit/lifecycle/messages";
import { nameInUseElsewhere } from "../../kit/lifecycle/taken/messages";
import { failedResponse, inaccessibleOrganization } from "../../provider/client/messages";
import { scopesMissing } from "../../provider/permissions/messages";
import { availableGroups, groupNotFound, locationUnknown } from "../../provider/resources/group/messages";
import { recoveryDisabledIn } from "../../provider/resources/messages";
import { engineFixture, environmentOf } from "./engine-fixture";
import { operationsOf } from "./journal";

const organizationSlug = "acme";

/** Returns the number of occurrences of each operation in the list. */
function counted(operations: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

describe("the preview of a new resource", () => {
  test("rejects an unknown group, location or organization, a taken name, and an invalid token", {
    tags: "more",
  }, async () => {
    const here = await engineFixture();
    const taken = await here.database("orders");
    here.writes();
    const { groups } = await here.outside.listGroups({ organizationSlug });
    const declared: { database: dbplatform.DatabaseArgs; group: dbplatform.GroupArgs; token: dbplatform.ApiTokenArgs } =
      {
        database: { name: "shop", group: "default" },
        group: { name: "tenants", location: "aws-us-east-1" },
        token: { name: "ci" },
      };
    const good = { ...declared };
    const stack = await here.stack(async () => {
      new dbplatform.Group("tenants", { ...declared.group });
      new dbplatform.Database("shop", { ...declared.database });
      new dbplatform.ApiToken("ci", { ...declared.token });
    });
    const refused: [Partial<typeof declared>, string][] = [
      [
        { database: { name: "shop", group: "defualt" } },
        `${groupNotFound({ wanted: "defualt", organization: "acme" })}. ${availableGroups({ known: ["default", "other"] })}`,
      ],
      [
        { database: { name: "orders", group: "default" } },
        nameInUseElsewhere({ kind: "database", name: "orders", id: taken, isStackRead: true }).advice,
      ],
      [
        { group: { name: "tenants", location: "aws-nowhere-1" } },
        locationUnknown({ location: "aws-nowhere-1", known: [] }),
      ],
      [
        { group: { ...good.group, locations: ["aws-nowhere-2"] } },
        locationUnknown({ location: "aws-nowhere-2", known: [] }),
      ],
      [
        { group: { ...good.group, name: "other" } },
        nameInUseElsewhere({
          kind: "group",
          name: "other",
          id: String(groups.find(({ name }) => name === "other")?.uuid),
          isStackRead: true,
        }).answer,
      ],
    ];
    for (const [change, text] of refused) {
      Object.assign(declared, good, change);
      const { code, output } = await stack.preview();
      expect(output).toContain(text);
      expect(code).not.toBe(0);
    }
    Object.assign(declared, good);
    for (const [environment, text] of [
      [
        environmentOf(here.api, "nobody"),
        inaccessibleOrganization({
          organization: "nobody",
          response: failedResponse({ status: 404, error: "organization not found" }),
        }).answer,
      ],
      [environmentOf(here.api, "acme", "no-token"), "401"],
    ] as const) {
      stack.setEnvironment(environment);
      const { code, output } = await stack.preview();
      expect(output).toContain(text);
      expect(code).not.toBe(0);
    }
    expect(here.writes()).toEqual([]);

    stack.setEnvironment(environmentOf(here.api));
    const asked = operationsOf(here.api);
    asked();
    expect(await stack.preview()).toMatchObject({ code: 0 });
    expect(counted(asked())).toEqual({
      retrieveOrganization: 1,
      listGroups: 1,
      listLocations: 1,
      listDatabases: 1,
      listApiTokens: 1,
      listDeletedDatabases: 1,
      listDeletedGroups: 1,
      listAuditLogs: 1,
    });
    expect(await stack.up()).toMatchObject({ code: 0 });

    // Declares an existing group with a location that does not exist.
    declared.group = { ...good.group, locations: ["aws-nowhere-3"] };
    here.writes();
    const moved = await stack.preview();
    expect(moved.output).toContain(locationUnknown({ location: "aws-nowhere-3", known: [] }));
    expect(moved.code).not.toBe(0);
    expect(here.writes()).toEqual([]);
  });

  test("rejects a missing group although the update restores a database of that name", { tags: "more" }, async () => {
    const here = await engineFixture();
    let isDeclared = false;
    const stack = await here.stack(async () => {
      const namesake = new dbplatform.Database("namesake", { name: "tenants", group: "default" });
      if (isDeclared) new dbplatform.GroupToken("token", { group: "tenants" }, { dependsOn: namesake });
      return { dbId: namesake.dbId };
    });
    await stack.deploy();
    await here.delete(((await stack.outputs()) as { dbId: string }).dbId);
    isDeclared = true;
    const { code, output } = await stack.preview();
    expect(output).toContain(groupNotFound({ wanted: "tenants", organization: "acme" }));
    expect(code).not.toBe(0);
  });

  test("rejects duplicate database names and duplicate configurations, and names both resources", async () => {
    const here = await engineFixture();
    const dbId = await here.database("there");
    const pairs = [
      () => {
        new dbplatform.Database("one", { name: "same", group: "default" });
        new dbplatform.Database("two", { name: "same", group: "default" });
      },
      () => {
        new dbplatform.DatabaseConfiguration("one", { database: dbId, blockReads: true });
        new dbplatform.DatabaseConfiguration("two", { database: dbId.toUpperCase(), blockWrites: true });
      },
    ];
    let declare: (() => void) | undefined;
    const stack = await here.stack(async () => declare?.());
    for (declare of pairs) {
      const { code, output } = await stack.preview();
      expect(code).not.toBe(0);
      const [, failed, other] =
        /resource '(one|two)': property .* has a problem: urn:\S+::(one|two) .*the same/.exec(output) ?? [];
      expect([failed, other].sort()).toEqual(["one", "two"]);
    }
  });
});

test("the preview of a deletion does not ask the provider, which therefore warns only in `up`", {
  tags: "more",
}, async () => {
  const here = await engineFixture();
  let isDeclared = true;
  const stack = await here.stack(async () => {
    if (isDeclared) new dbplatform.Database("orders", { name: "orders", group: "default" });
  });
  await stack.deploy();
  isDeclared = false;
  const calls = join(stack.folder, "calls.json");
  stack.setEnvironment({ PULUMI_DEBUG_GRPC: calls });
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(readFileSync(calls, "utf8")).not.toContain("ResourceProvider/Delete");
});

describe("a preview with a read-only credential", () => {
  test("ends with exit code 7 when a database was deleted, and warns about missing scopes", async () => {
    const here = await engineFixture();
    const declared: Record<string, dbplatform.DatabaseArgs> = {
      orders: { name: "orders", group: "default" },
      users: { name: "users", group: "default" },
    };
    const configuration: Partial<dbplatform.DatabaseConfigurationArgs> = { blockReads: true };
    const options: CustomResourceOptions = {};
    const stack = await here.stack(async () => {
      for (const [name, args] of Object.entries(declared)) {
        const { dbId } = new dbplatform.Database(name, { ...args }, { ...options });
        if (name === "users") new dbplatform.DatabaseConfiguration(name, { database: dbId, ...configuration });
      }
    });
    await stack.deploy();
    const { orders = "" } = await here.databases();
    await here.delete(orders);
    here.writes();
    stack.setEnvironment({
      ...environmentOf(here.api, "acme", await here.api.token({ group: "default", scopes: ["read"] })),
      DBPLATFORM_ORGANIZATION_ID: here.api.organizationId,
    });
    const drift = await stack.preview({ expectNoChanges: true });
    expect(drift.code).toBe(7);
    const lacks = (operation: "create" | "restore", title: string) =>
      tokenLacksAccess({
        attempt: operationImpossible({ operation, object: title }),
        reason: scopesMissing({ scopes: ["db:create"] }),
      });
    expect(drift.output).toContain(lacks("restore", `database "orders" (${orders})`));
    expect(drift.output).not.toContain("`pulumi up` restores");

    declared.third = { name: "third", group: "default" };
    declared.users = { name: "users-too", group: "default" };
    configuration.blockReads = false;
    const preview = await stack.preview();
    expect(preview.output).toContain(lacks("create", 'database "third"'));
    const replacement = operationImpossible({ operation: "replace", object: 'database "users"' });
    expect(preview.output).toContain(
      tokenLacksAccess({ attempt: replacement, reason: scopesMissing({ scopes: ["db:create", "db:delete"] }) }),
    );
    expect(preview.code).toBe(0);
    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.output).toContain(scopesMissing({ scopes: ["db:create"] }));
    expect(here.writes()).toEqual([]);

    // Disables recovery. The preview fails, because no credential can restore anything while recovery is disabled.
    await here.outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
    here.writes();
    stack.setEnvironment(environmentOf(here.api));
    const disabled = await stack.preview();
    expect(disabled.code).not.toBe(0);
    expect(disabled.output).toContain(recoveryDisabledIn({ organization: "acme" }));
    expect(here.writes()).toEqual([]);
  });
});
