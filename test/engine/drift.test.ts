// @module-tag more
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { referenceOutdated } from "../../kit/lifecycle/restore/messages";
import { engineFixture } from "./engine-fixture";

const organizationSlug = "acme";

test("with dynamic providers, reports no change if a group that resources refer to by name was renamed", async () => {
  const here = await engineFixture();
  const body = { name: "team", location: "aws-us-east-1" };
  await here.outside.createGroup({ organizationSlug, body });
  const stack = await here.stack(async () => {
    new dynamic.Database("sales", { name: "sales", group: "team" });
    new dynamic.GroupToken("token", { group: "team" });
  });
  await stack.deploy();
  await here.outside.renameGroup({ organizationSlug, groupName: "team", body: { name: "squad" } });
  const { code, output } = await stack.preview({ refresh: true, expectNoChanges: true } as never);
  expect(code, output).toBe(0);
});

test("compares a reference with the program of this run, also if it comes from a stack reference", async () => {
  const here = await engineFixture();
  const args = { name: "team", location: "aws-us-east-1" };
  let isDeclared = false;
  const stack = await here.stack(async () => {
    const team = new dbplatform.Group("team", { ...args });
    const { name, id } = team;
    if (!isDeclared) return { name, id };
    const group = new pulumi.StackReference("organization/test/dev").getOutput("name");
    // Without the dependency, the engine might call Diff of the token before the program has declared the group.
    const token = new dbplatform.GroupToken("token", { group }, { dependsOn: team });
    return { name, id, token: token.id };
  });
  await stack.deploy();
  isDeclared = true;
  await stack.deploy();
  const { id, token } = (await stack.outputs()) as { id: string; token: string };

  await here.outside.renameGroup({ organizationSlug, groupName: "team", body: { name: "squad" } });
  args.name = "squad";
  const outdated = (wanted: string) =>
    referenceOutdated({
      title: "group token",
      id: token,
      referred: { kind: "group", id, name: "squad" },
      property: "group",
      wanted,
    });
  // The stack reference still has the output of the last update.
  const first = await stack.up();
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).toContain(outdated("team"));
  const second = await stack.preview({ expectNoChanges: true });
  expect(second.code, second.output).toBe(0);
  expect(second.output).not.toContain('"team"');
});
