import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { root } from "../../../tools/run";
import { engineFixture } from "../engine-fixture";
import { githubWorkflow, runGithub, summaryFile } from "./pipeline";

const workflow = githubWorkflow("pull-request/.github/workflows/pull-request.yml");
const sweep = githubWorkflow("pull-request/.github/workflows/sweep.yml");

const DAY = 86_400;

/** The commands in docs/adopt.md that delete old unmanaged objects. */
const [, DELETION = ""] =
  /### Delete what nobody needs\n.*?^```sh\n(.*?)^```/ms.exec(readFileSync(join(root, "docs/adopt.md"), "utf8")) ?? [];

const opened = (number: number) => ({
  repository: "acme/shop",
  event: { action: "opened", number, pull_request: { head: { repo: { full_name: "acme/shop" } } } },
});

test("the sweep destroys only old pull-request stacks, and lists old unmanaged objects for deletion", async () => {
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
    const { output } = await stack.shell("pulumi stack ls --json", { runs: 0 });
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

  await outside.createGroup({ organizationSlug, body: { name: "left", location: "aws-eu-west-1" } });
  await here.database("stray");
  await api.advance(8 * DAY);
  const young = await here.database("young", "left");
  const { groups } = await outside.listGroups({ organizationSlug });
  const groupOf = (number: number) => groups.find(({ name }) => name.startsWith(`pr-${number}-`))?.name ?? "";

  const swept = await runGithub(stack, sweep, { github: { event_name: "schedule" }, vars, secrets });
  expect(swept, swept.output).toMatchObject({ code: 0 });
  expect(await stacks()).toEqual(["dev", "pr-18"]);
  const { groups: remaining } = await outside.listGroups({ organizationSlug });
  expect(remaining.map(({ name }) => name).sort()).toEqual(["default", "left", groupOf(18)].sort());
  const { databases } = await outside.listDatabases({ organizationSlug });
  expect(databases.filter(({ group }) => group === groupOf(18))).toHaveLength(2);
  const summary = readFileSync(summaryFile(stack), "utf8");
  expect([...summary.matchAll(/^(Group|Database) +(\S+)/gm)].map(([, type, name]) => `${type} ${name}`)).toEqual([
    "Group left",
    "Database stray",
  ]);
  expect(summary).toMatch(/^Database +stray +\S+ +default +\d{4}-\d\d-\d\d \d\d:\d\d UTC +ada$/m);

  await stack.shell("pulumi stack export --stack pr-18 --file pr-18.json", { runs: 0 });
  const script = DELETION.replace("dev.json prod.json", "pr-18.json");
  const deleted = await stack.shell(script, { runs: 3, environment: { PULUMI_SKIP_CONFIRMATIONS: "true" } });
  expect(deleted.code, deleted.output).not.toBe(0);
  const left = await here.databases();
  expect(left).toMatchObject({ ...seeded, young });
  expect(left).not.toHaveProperty("stray");
  expect((await outside.listGroups({ organizationSlug })).groups.map(({ name }) => name)).toContain("left");
});
