// @module-tag more

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../tools/run";
import { engineFixture } from "../engine-fixture";
import { type GithubContext, githubJobsAt, githubWorkflow, runGithub } from "./pipeline";

const workflow = githubWorkflow("pull-request/.github/workflows/pull-request.yml");

const eventOf = (action: string, repository = "acme/shop") => ({
  repository: "acme/shop",
  event: { action, number: 17, pull_request: { head: { repo: { full_name: repository } } } },
});
const at = (event: object): GithubContext => ({ github: { ...event }, vars: {}, secrets: {} });

test.each([
  ["opened", ["up"]],
  ["synchronize", ["up"]],
  ["reopened", ["up"]],
  ["closed", ["destroy"]],
])("runs one job for the pull-request event `%s`, and none for a pull request from a fork", (action, jobs) => {
  expect(githubJobsAt(workflow, at(eventOf(action)))).toEqual(jobs);
  expect(githubJobsAt(workflow, at(eventOf(action, "max/shop")))).toEqual([]);
  expect(workflow.permissions).toEqual({ contents: "read" });
});

test("closing a pull request destroys only its group and the databases in the group", async () => {
  const here = await engineFixture({ seed: join(root, "examples/pull-request/seed.yaml") });
  const before = await here.databases();
  const stack = await here.stack("pull-request");
  const { DBPLATFORM_API_TOKEN, PULUMI_CONFIG_PASSPHRASE, ...vars } = stack.environment;
  const secrets = {
    DBPLATFORM_PULL_REQUEST_TOKEN: DBPLATFORM_API_TOKEN,
    PULUMI_PULL_REQUEST_PASSPHRASE: PULUMI_CONFIG_PASSPHRASE,
  };
  stack.setEnvironment({ DBPLATFORM_API_TOKEN: "", PULUMI_CONFIG_PASSPHRASE: "" });
  const run = (action: string) => runGithub(stack, workflow, { ...at(eventOf(action)), vars, secrets });

  expect(await run("opened")).toMatchObject({ code: 0 });
  const names = Object.keys(await here.databases()).map((name) => name.replace(/-[0-9a-f]{7}$/, ""));
  expect(names).toEqual(["catalogue", "orders", "staging"]);
  const { databases } = await here.outside.listDatabases({ organizationSlug: here.api.organization });
  expect(databases.map(({ parent }) => parent?.name)).toEqual([undefined, "staging", undefined]);
  const { output } = await stack.shell("pulumi stack output groupName --stack pr-17");
  expect(output).toMatch(/^pr-17-/);
  await here.createDatabase("made-by-a-test", output.trim());

  // Removes the stack's settings file, because each job starts from a new checkout of the repository.
  rmSync(join(stack.project, "Pulumi.pr-17.yaml"));
  expect(await run("closed")).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(before);
  const { groups } = await here.outside.listGroups({ organizationSlug: here.api.organization });
  expect(groups.map(({ name }) => name)).toEqual(["default"]);
  expect((await stack.shell("pulumi stack ls --json")).output).not.toContain("pr-17");
});
