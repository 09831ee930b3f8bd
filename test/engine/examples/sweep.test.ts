// @module-tag more

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { root } from "../../../tools/run";
import { engineFixture } from "../engine-fixture";
import { githubWorkflow, runGithub, summaryFile } from "./pipeline";

const workflow = githubWorkflow("pull-request/.github/workflows/pull-request.yml");
const sweep = githubWorkflow("pull-request/.github/workflows/sweep.yml");

const DAY = 86_400;

const page = readFileSync(join(root, "docs/adopt.md"), "utf8");

/** The commands in docs/adopt.md that export the state of every stack. */
const [, EXPORT = ""] = /## Find what is in no stack\n.*?^```sh\n(.*?)^```/ms.exec(page) ?? [];

/** The commands in docs/adopt.md that delete old unmanaged groups and databases. */
const [, DELETION = ""] = /### Delete what nobody needs\n.*?^```sh\n(.*?)^```/ms.exec(page) ?? [];

/** Another project, whose stack has the same name as the stack under test. */
const OTHER = JSON.stringify({
  name: "other",
  runtime: "yaml",
  plugins: { providers: [{ name: "dbplatform", path: root }] },
  resources: { owned: { type: "dbplatform:Group", properties: { name: "owned", location: "aws-eu-west-1" } } },
});

const opened = (number: number) => ({
  repository: "acme/shop",
  event: { action: "opened", number, pull_request: { head: { repo: { full_name: "acme/shop" } } } },
});

test("the sweep destroys only old pull-request stacks, and lists old unmanaged groups and databases", async () => {
  const here = await engineFixture({ seed: join(root, "examples/pull-request/seed.yaml") });
  const { api, outside } = here;
  const organizationSlug = api.organization;
  const seeded = await here.databases();
  const stack = await here.stack("pull-request");
  const { DBPLATFORM_API_TOKEN, PULUMI_CONFIG_PASSPHRASE, ...vars } = stack.environment;
  const secrets = {
    DBPLATFORM_PULL_REQUEST_TOKEN: DBPLATFORM_API_TOKEN,
    PULUMI_PULL_REQUEST_PASSPHRASE: PULUMI_CONFIG_PASSPHRASE,
  };
  const stacks = async () => {
    const { output } = await stack.shell("pulumi stack ls --json");
    return (JSON.parse(output) as { name: string }[]).map(({ name }) => name);
  };

  for (const number of [17, 18])
    expect(await runGithub(stack, workflow, { github: opened(number), vars, secrets })).toMatchObject({ code: 0 });
  const state = join(
    fileURLToPath(String(stack.environment.PULUMI_BACKEND_URL)),
    ".pulumi/stacks/pull-request/pr-17.json",
  );
  const recorded = JSON.parse(readFileSync(state, "utf8"));
  recorded.checkpoint.latest.manifest.time = new Date(Date.now() - 8 * DAY * 1000).toISOString();
  writeFileSync(state, JSON.stringify(recorded));
  for (const number of [17, 18]) rmSync(join(stack.project, `Pulumi.pr-${number}.yaml`));

  const other = join(stack.folder, "other");
  mkdirSync(other);
  writeFileSync(join(other, "Pulumi.yaml"), OTHER);
  const up = "pulumi stack init dev && pulumi up --yes --skip-preview";
  expect(await stack.shell(`cd '${other}' && ${up}`)).toMatchObject({ code: 0 });

  await outside.createGroup({ organizationSlug, body: { name: "left", location: "aws-eu-west-1" } });
  await here.createDatabase("stray");
  await api.advance(8 * DAY);
  const young = await here.createDatabase("young", "left");
  const { groups } = await outside.listGroups({ organizationSlug });
  const groupOf = (number: number) => groups.find(({ name }) => name.startsWith(`pr-${number}-`))?.name ?? "";

  const swept = await runGithub(stack, sweep, { github: { event_name: "schedule" }, vars, secrets });
  expect(swept, swept.output).toMatchObject({ code: 0 });
  expect(await stacks()).toEqual(["dev", "pr-18"]);
  const { groups: remaining } = await outside.listGroups({ organizationSlug });
  expect(remaining.map(({ name }) => name).sort()).toEqual(["default", "left", "owned", groupOf(18)].sort());
  const { databases } = await outside.listDatabases({ organizationSlug });
  expect(databases.filter(({ group }) => group === groupOf(18))).toHaveLength(2);
  const summary = readFileSync(summaryFile(stack), "utf8");
  expect([...summary.matchAll(/^(Group|Database) +(\S+)/gm)].map(([, type, name]) => `${type} ${name}`)).toEqual([
    "Group left",
    "Database stray",
  ]);
  expect(summary).toMatch(/^Database +stray +\S+ +default +\d{4}-\d\d-\d\d \d\d:\d\d UTC +ada$/m);

  const deleted = await stack.shell(EXPORT + DELETION, { environment: { PULUMI_SKIP_CONFIRMATIONS: "true" } });
  expect(deleted.code, deleted.output).not.toBe(0);
  const left = await here.databases();
  expect(left).toMatchObject({ ...seeded, young });
  expect(left).not.toHaveProperty("stray");
  const { groups: undeleted } = await outside.listGroups({ organizationSlug });
  expect(undeleted.map(({ name }) => name)).toEqual(expect.arrayContaining(["left", "owned"]));
});

test.each([
  ["fails if the backend cannot be read", "missing", 1, ""],
  [
    "lists nothing if the backend has no stacks",
    "empty",
    0,
    "The backend has no stacks. Unmanaged objects are not listed.\n",
  ],
])("the sweep %s", async (_, backend, code, summary) => {
  const stack = await (await engineFixture()).stack("pull-request");
  mkdirSync(join(stack.folder, "empty"));
  const { DBPLATFORM_API_TOKEN, PULUMI_CONFIG_PASSPHRASE, ...environment } = stack.environment;
  const vars = { ...environment, PULUMI_BACKEND_URL: `file://${join(stack.folder, backend)}` };
  const secrets = { DBPLATFORM_PULL_REQUEST_TOKEN: DBPLATFORM_API_TOKEN };
  const swept = await runGithub(stack, sweep, { github: { event_name: "schedule" }, vars, secrets });
  expect(swept, swept.output).toMatchObject({ code });
  const file = summaryFile(stack);
  expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(summary);
});
