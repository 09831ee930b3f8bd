import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import {
  replacedIsDeletedNow,
  replacedIsKept,
  replacedIsLeft,
  replacedIsTakenBack,
  severalAreDeleted,
} from "../../kit/lifecycle/messages";
import type { FaultRule } from "../../platform/reference/server";
import { type EngineFixture, engineFixture } from "./engine-fixture";

const NOW = "2026-03-01T12:00:00Z";
const UNTIL = "2026-03-06T12:00:00.000Z";
const DATA = "with its data";
const DELETIONS = ["deleteDatabaseById", "deleteGroup", "revokeApiToken"] as const;
const ON_REFRESH = { "dbplatform:driftDetection": "on-refresh" };

type Sdk = typeof plugin;

function failDeletions(here: EngineFixture, how: Partial<FaultRule>): void {
  for (const operation of DELETIONS) here.api.fault({ operation, times: 99, ...how } as FaultRule);
}

async function liveObjects(here: EngineFixture): Promise<Record<string, string>> {
  const { organization: organizationSlug } = here.api;
  const { groups } = await here.outside.listGroups({ organizationSlug });
  const { tokens } = await here.outside.listApiTokens({ organizationSlug });
  return {
    ...(await here.databases()),
    ...Object.fromEntries(groups.map(({ name, uuid }) => [name, uuid])),
    ...Object.fromEntries(tokens.map(({ name, id }) => [name, id])),
  };
}

interface Given {
  place: string;
  location: string;
  version: string;
  suffix: string;
}

const FIRST: Given = { place: "default", location: "aws-us-east-1", version: "1", suffix: "" };
const SECOND: Given = { place: "other", location: "aws-eu-west-1", version: "2", suffix: "-2" };

/** A stack with databases, a group and tokens, with fixed and generated names, whose replacement cannot delete the old ones. */
async function withFailedDeletions(
  { ApiToken, Database, Group }: Sdk,
  how: Partial<FaultRule>,
  config: Record<string, string> = {},
) {
  const here = await engineFixture({ now: NOW });
  const given: Given = { ...FIRST };
  const stack = await here.stack(
    async () => {
      const { place: group, location, version, suffix } = given;
      new Database("orders", { group });
      new Database("fixed", { group, name: `fixed${suffix}` });
      const { id } = new Group("team", { location, forceDestroy: true });
      new Database("inside", { group: id });
      const { token } = new ApiToken("ci", { keepers: { version } });
      const { token: fixed } = new ApiToken("deploy", { name: `deploy${suffix}`, keepers: { version } });
      return { token, fixed };
    },
    { config },
  );
  await stack.deploy();
  const [before, tokens] = [await liveObjects(here), await stack.outputs()];
  failDeletions(here, how);
  Object.assign(given, SECOND);
  const failed = await stack.up({ continueOnError: true });
  expect(failed.code).not.toBe(0);
  here.api.clearFaults();
  const both = await liveObjects(here);
  expect(both).toMatchObject(before);
  here.writes();
  return { here, stack, given, before, both, tokens, failed };
}

const titled = (name: string) => {
  if (/^(ci|deploy)/.test(name)) return { title: `API token "${name}"`, brings: "" };
  return name.startsWith("team")
    ? { title: `group "${name}"`, brings: "with its databases" }
    : { title: `database "${name}"`, brings: DATA };
};

const oldOnes = (before: Record<string, string>) =>
  Object.entries(before).filter(([name]) => /^(orders|fixed|team|inside|ci|deploy)/.test(name));

test("manages the old objects again if a replacement that could not delete them is taken back", async () => {
  const { here, stack, given, before, both, tokens, failed } = await withFailedDeletions(plugin, {
    status: 409,
    body: { error: "busy" },
  });
  const shown = failed.output.replace(/\s+/g, " ");
  const left = oldOnes(before).filter(([name]) => !name.startsWith("team"));
  for (const [name, id] of left) expect(shown).toContain(replacedIsLeft({ ...titled(name), id, isRead: true }));

  Object.assign(given, FIRST);
  const preview = await stack.preview();
  console.log(failed.output, preview.output);
  expect(preview.code, preview.output).toBe(0);
  expect(here.writes()).toEqual([]);
  const up = await stack.up();
  console.log(up.output);
  expect(up.code, up.output).toBe(0);
  expect(await liveObjects(here)).toEqual(before);
  expect(await stack.outputs()).toEqual(tokens);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  void both;
});
void dynamic;
void replacedIsDeletedNow;
void replacedIsKept;
void replacedIsTakenBack;
void severalAreDeleted;
void UNTIL;
void ON_REFRESH;
