// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences
// @module-tag clear-messages

import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import { differenceKept, nameOfAnother, referenceOutdated } from "../../kit/lifecycle/restore/messages";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { dbplatform } from "../../provider/provider";
import { group } from "../../provider/resources/group/group";
import { groupToken } from "../../provider/resources/token/group-token";
import { clientOf } from "../engine/engine-fixture";
import type { Declared, Value } from "../fake-engine/declared-program";
import type { Entry } from "../fake-engine/engine-run";
import { FakeEngine } from "../fake-engine/fake-engine";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

const organizationSlug = "acme";
const team: Declared = { type: "Group", args: { name: "team", location: "aws-us-east-1" } };

const referring = (group: Value): Record<string, Declared> => ({
  database: { type: "Database", args: { name: "orders", group } },
  groupToken: { type: "GroupToken", args: { group } },
  apiToken: { type: "ApiToken", args: { name: "ci", group, scopes: ["read"] } },
  rotation: { type: "SigningKeyRotation", args: { group } },
});

const TITLES: Readonly<Record<string, string>> = {
  database: 'database "orders"',
  groupToken: "group token",
  apiToken: 'API token "ci"',
  rotation: "signing key rotation",
};

/** Creates resources that refer to the group "team" by name. Another stack manages the group. */
async function withTeam() {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const { group } = await outside.createGroup({ organizationSlug, body: { name: "team", location: "aws-us-east-1" } });
  const stack = new FakeEngine(dbplatform);
  await stack.up(programOf(referring("team")), here.again());
  const rename = (groupName: string, name: string) =>
    outside.renameGroup({ organizationSlug, groupName, body: { name } });
  /** Runs the preview and the update, and returns what they said. Both report the same number of changes. */
  const run = async (program: Record<string, Declared>, steps: number) => {
    here.said.length = 0;
    expect(await stack.preview(programOf(program), here.again())).toBe(steps);
    const said = here.said.splice(0);
    expect(await stack.up(programOf(program), here.again())).toBe(steps);
    expect(here.said).toEqual(said);
    return said.sort();
  };
  const messages = (text: (title: string, id: string) => string) =>
    [...stack.managed].map(([slot, { id }]) => text(TITLES[slot] ?? "", id)).sort();
  return { here, outside, stack, id: group.uuid, rename, run, messages };
}

test("warns of a reference by a name that its group no longer has, but reports no change", async () => {
  const { id, rename, run, messages } = await withTeam();
  await rename("team", "squad");
  const outdated = { property: "group", wanted: "team" };
  const group = { kind: "group", id, name: "squad" };
  const warnings = messages((title, object) => referenceOutdated({ title, id: object, referred: group, ...outdated }));
  expect(await run(referring("team"), 0)).toEqual(warnings);
  expect(await run(referring("team"), 0)).toEqual(warnings);
  expect(await run(referring("squad"), 0)).toEqual([]);
  await rename("squad", "crew");
  expect(await run(referring(id.toUpperCase()), 0)).toEqual([]);
});

test("reports a difference if another group now has the name, and follows neither group", async () => {
  const { id, outside, rename, run, messages } = await withTeam();
  await rename("team", "squad");
  const body = { name: "team", location: "aws-us-east-1" };
  const { uuid } = (await outside.createGroup({ organizationSlug, body })).group;
  const difference = { property: "group", is: "squad", wanted: "team" };
  const another = nameOfAnother({ kind: "group", name: "team", id: uuid, own: id });
  expect(await run(referring("team"), 4)).toEqual(
    messages((title, id) => differenceKept({ title, id, difference, nameOfAnother: another })),
  );
  expect(await run(referring("squad"), 0)).toEqual([]);
});

test("renames a group back without a word about the resources that refer to it by name", async () => {
  const byOutput = { output: { type: "GroupToken", args: { group: { of: "team", output: "name" } } } };
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const program = programOf({ team, ...referring("team"), ...byOutput });
  const stack = new FakeEngine(dbplatform);
  await stack.up(program, here.again());
  await outside.renameGroup({ organizationSlug, groupName: "team", body: { name: "squad" } });
  // The tokens are registered before the group, as in a program that declares them first.
  const reversed = programOf({ ...referring("team"), team, ...byOutput });
  here.said.length = 0;
  expect(await stack.preview(reversed, here.again())).toBe(1);
  expect(await stack.preview(program, here.again())).toBe(1);
  expect(await stack.up(reversed, here.again())).toBe(1);
  expect(here.said.join("\n")).not.toContain("squad");
  expect(await stack.preview(program, here.again())).toBe(0);
  const { groups } = await outside.listGroups({ organizationSlug });
  expect(groups.map(({ name }) => name)).toContain("team");
});

test("warns of an outdated name if the program ignores that its group was renamed", async () => {
  const here = await lifecycleFixture();
  const outside = clientOf(here.api, here.api.apiToken);
  const stack = new FakeEngine(dbplatform);
  await stack.up(programOf({ team, ...referring("team") }), here.again());
  await outside.renameGroup({ organizationSlug, groupName: "team", body: { name: "squad" } });
  const context = here.again();
  const at = (urn: string) => ({ ...context, platform: { ...context.platform, urn } });
  const compared = async (slot: string, resource: AnyResource) => {
    const { id, inputs, outputs } = stack.managed.get(slot) as Entry;
    const read = await readManaged(resource, { id, inputs, state: outputs }, at(slot));
    context.run.note({ step: "check", urn: slot, inputs });
    return { id, oldInputs: inputs, state: read?.state ?? {}, news: inputs };
  };
  const renamed = await compared("team", group);
  await diff(group, { ...renamed, ignored: new Set(["name"]) }, at("team"));
  const token = await compared("groupToken", groupToken);
  expect((await diff(groupToken, token, at("groupToken"))).differences).toEqual([]);
  const referred = { kind: "group", id: renamed.id, name: "squad" };
  expect(here.said.at(-1)).toBe(
    referenceOutdated({ title: "group token", id: token.id, referred, property: "group", wanted: "team" }),
  );
});

test("previews a difference if the update creates another group with the name of a reference", async () => {
  const { here, stack, rename } = await withTeam();
  await rename("team", "squad");
  const ids = new Map([...stack.managed].map(([slot, { id }]) => [slot, id]));
  const program = programOf({ team, ...referring("team") });
  expect(await stack.preview(program, here.again())).toBe(5);
  expect(await stack.up(program, here.again())).toBe(5);
  for (const [slot, id] of ids) expect(stack.managed.get(slot)?.id).toBe(id);
});
