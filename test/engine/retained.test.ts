// @module-tag no-database-is-lost

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { retainedUnderName } from "../../kit/lifecycle/messages";
import { engineFixture } from "./engine-fixture";

test.each([
  ["the plugin", plugin],
  ["dynamic providers", dynamic as unknown as typeof plugin],
] as const)(
  "replaces retained objects under other names, with %s",
  { tags: "more" },
  async (_, { Database, Group }) => {
    const here = await engineFixture();
    const given = { name: "orders", team: "team", group: "default", location: "aws-us-east-1" };
    const stack = await here.stack(async () => {
      const { name, team, group, location } = given;
      new Database("orders", { name, group }, { retainOnDelete: true });
      new Group("team", { name: team, location }, { retainOnDelete: true });
    });
    await stack.deploy();
    const before = await here.databases();
    const groups = async () => {
      const { groups } = await here.outside.listGroups({ organizationSlug: here.api.organization });
      return groups.map(({ name }) => name).filter((name) => name.startsWith("team"));
    };
    Object.assign(given, { group: "other", location: "aws-eu-west-1" });
    const preview = await stack.preview();
    expect(preview.output).not.toMatch(/can be restored until [^,]*\./);
    // The name is not free, because the old objects stay.
    expect((await stack.up({ continueOnError: true })).code).not.toBe(0);
    if (Database === plugin.Database) {
      const refused = await stack.preview();
      expect(refused.code).not.toBe(0);
      // The engine ends at the first error, whichever of the two comes first.
      const advice = ["database", "group"].map((kind) => retainedUnderName({ kind, name: "" }).advice);
      expect(
        advice.some((text) => refused.output.includes(text)),
        refused.output,
      ).toBe(true);
    }
    Object.assign(given, { name: "orders-2", team: "team-2" });
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(await here.databases()).toMatchObject({ ...before, "orders-2": expect.any(String) });
    expect((await groups()).toSorted()).toEqual(["team", "team-2"]);
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  },
);

test("manages a retained database again if its replacement is taken back", { tags: "more" }, async () => {
  const here = await engineFixture();
  const given = { group: "default" };
  const stack = await here.stack(async () => {
    new plugin.Database("orders", { name: "orders", ...given }, { retainOnDelete: true });
  });
  await stack.deploy();
  const before = await here.databases();
  given.group = "other";
  expect((await stack.up()).code).not.toBe(0);
  given.group = "default";
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(before);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
