// @module-tag more
// @module-tag no-false-differences

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { engineFixture } from "./engine-fixture";

const NOON = "2026-03-01T12:00:00Z";

/** Equivalent spellings of each value; `undefined` means that the property is omitted. */
const SPELLED = {
  locations: [
    ["aws-eu-west-1", "aws-us-west-2"],
    ["aws-us-west-2", "aws-us-east-1", "aws-eu-west-1", "aws-us-west-2"],
  ],
  off: [false, undefined],
  size: ["256mb", "268435456", "0.25 GiB"],
  unlimited: ["", undefined],
  addresses: [
    ["10.0.0.0/8", "203.0.113.7", "2001:db8::1"],
    ["2001:DB8:0:0:0:0:0:1/128", "10.1.2.3/8", "203.0.113.7/32", "10.255.0.0/8"],
  ],
  none: [[], undefined],
  endpoints: [
    ["vpce-1", "vpce-2"],
    ["vpce-2", "vpce-1", "vpce-2"],
  ],
  reading: [["read-only"], ["read"], ["read", "read-only"]] satisfies dbplatform.Scope[][],
  keepers: [
    { a: "1", b: "2" },
    { b: "2", a: "1" },
  ],
  empty: [{}, undefined],
  instant: ["2026-03-01T12:00:00Z", "2026-03-01T14:00:00.000+02:00"],
  week: ["1w", "7d", "168h"],
  hour: ["1.1h", "66m", "1h6m"],
  never: ["never", undefined],
  whole: ["full-access" as const, undefined],
};

test("finds no difference between equivalent spellings of a value in any preview, refresh or update", async () => {
  const here = await engineFixture({ now: NOON });
  await here.createDatabase("source", "other");
  const { groups } = await here.outside.listGroups({ organizationSlug: "acme" });
  const other = groups.find(({ name }) => name === "other")?.uuid ?? "";
  let turn = 0;
  const one = <K extends keyof typeof SPELLED>(property: K): (typeof SPELLED)[K][number] =>
    SPELLED[property][turn % SPELLED[property].length];
  const groupOf = () => [other, "other", other.toUpperCase(), `{${other}}`][turn % 4] ?? "";
  const spelledId = (dbId: string) => [dbId, dbId.toUpperCase(), dbId.replaceAll("-", "")][turn % 3] ?? "";

  const declare = (imports: Readonly<Record<string, string>> = {}) => {
    const option = (name: string) => (imports[name] === undefined ? {} : { import: imports[name] });
    const tenants = new dbplatform.Group(
      "tenants",
      {
        name: "tenants",
        location: "aws-us-east-1",
        locations: one("locations"),
        deleteProtection: one("off"),
        forceDestroy: one("off"),
      },
      option("tenants"),
    );
    const orders = new dbplatform.Database("orders", { name: "orders", group: groupOf() }, option("orders"));
    const seed = { database: "source", timestamp: one("instant") };
    const copy = new dbplatform.Database(
      "copy",
      { name: "copy", group: groupOf(), seed, sizeLimit: one("size") },
      option("copy"),
    );
    const full = {
      sizeLimit: one("size"),
      allowAttach: true,
      blockReads: one("off"),
      blockWrites: true,
      deleteProtection: one("off"),
      allowedIps: one("addresses"),
      allowedAwsVpcIds: one("endpoints"),
    };
    const database = orders.dbId.apply(spelledId);
    new dbplatform.DatabaseConfiguration("orders", { database, ...full }, option("orders"));
    const bare = {
      sizeLimit: one("unlimited"),
      allowAttach: one("off"),
      allowedIps: one("none"),
      allowedAwsVpcIds: one("none"),
    };
    new dbplatform.DatabaseConfiguration("copy", { database: copy.dbId.apply(spelledId), ...bare }, option("copy"));
    const scoped = { name: "scoped", group: groupOf(), scopes: one("reading") };
    // Omits keepers when importing, because the platform does not store them.
    const keepers = imports.scoped === undefined ? { keepers: one("keepers") } : {};
    const token = new dbplatform.ApiToken("scoped", { ...scoped, ...keepers }, option("scoped"));
    const rotation = { database, triggers: one("empty") };
    new dbplatform.SigningKeyRotation("orders", rotation, option("orders"));
    return { tenants: tenants.id, orders: orders.dbId, copy: copy.dbId, scoped: token.id, database };
  };
  const stack = await here.stack(async () => {
    const { database, ...ids } = declare();
    const limited = {
      expiration: one("week"),
      renewBefore: one("hour"),
      authorization: one("whole"),
      keepers: one("keepers"),
    };
    new dbplatform.DatabaseToken("limited", { database, ...limited });
    new dbplatform.GroupToken("endless", { group: groupOf(), expiration: one("never"), keepers: one("empty") });
    return ids;
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const ids = (await stack.outputs()) as Record<string, string>;
  here.takeWrites();
  expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.refresh({ expectNoChanges: true })).toMatchObject({ code: 0 });
  turn = 1;
  const respelled = await stack.preview({ expectNoChanges: true });
  expect(respelled).toMatchObject({ code: 0 });
  expect(respelled.output).not.toContain("its change does nothing");

  const another = await here.stack(async () => void declare(ids));
  turn = 2;
  const imported = await another.up();
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.output).toMatch(/7 imported/);
  expect(imported.output).not.toMatch(/updated|replaced/);
  turn = 3;
  expect(await another.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
});
