// @module-tag more

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enoughScopes } from "../../../provider/scopes/messages";
import { blocksOf } from "../../docs/blocks";
import { full } from "../../full";
import { clientOf, type EngineFixture, engineFixture } from "../engine-fixture";
import type { Stack } from "../stack";
import {
  type GithubContext,
  type GitlabVariables,
  githubJobsAt,
  githubWorkflow,
  gitlabJobs,
  gitlabJobsAt,
  runGithub,
  runGitlab,
  summaryFile,
} from "./pipeline";

const github = githubWorkflow("ci/.github/workflows/databases.yml");
const gitlab = gitlabJobs("ci/.gitlab-ci.yml");
const [setUpTokens, , setUpStack, rotate] = blocksOf("examples/ci/README.md").flatMap(({ language, text }) =>
  language === "sh" ? [text] : [],
);

const pullRequestFrom = (repository: string) => ({
  event_name: "pull_request",
  actor: "ada",
  repository: "acme/shop",
  ref: "refs/pull/17/merge",
  event: { action: "opened", number: 17, pull_request: { head: { repo: { full_name: repository } } } },
});
const PULL_REQUEST = pullRequestFrom("acme/shop");
const PUSH = { event_name: "push", ref: "refs/heads/main" };
const SCHEDULE = { event_name: "schedule" };
const at = (event: object): GithubContext => ({ github: { ...event }, vars: {}, secrets: {} });

const MERGE_REQUEST = {
  CI_PIPELINE_SOURCE: "merge_request_event",
  CI_MERGE_REQUEST_PROJECT_ID: "1",
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1",
};
const PUSHED = { CI_PIPELINE_SOURCE: "push", CI_DEFAULT_BRANCH: "main", CI_COMMIT_BRANCH: "main" };
const SCHEDULED = { CI_PIPELINE_SOURCE: "schedule", CI_DEFAULT_BRANCH: "main", CI_COMMIT_BRANCH: "main" };

test.each([
  ["a pull request", PULL_REQUEST, ["preview"]],
  ["a pull request from a fork", pullRequestFrom("max/shop"), []],
  ["a pull request from Dependabot", { ...PULL_REQUEST, actor: "dependabot[bot]" }, []],
  ["a merge", PUSH, ["deploy"]],
  ["a scheduled run", SCHEDULE, ["drift"]],
])("runs the expected GitHub jobs for %s", (_, event, jobs) => {
  expect(githubJobsAt(github, at(event))).toEqual(jobs);
});

test.each<[string, GitlabVariables, string[]]>([
  ["a merge request", MERGE_REQUEST, ["preview"]],
  ["a merge request from a fork", { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "2" }, []],
  ["a push to a branch", { ...PUSHED, CI_COMMIT_BRANCH: "next" }, []],
  ["a merge", PUSHED, ["deploy"]],
  ["a scheduled pipeline", SCHEDULED, ["drift"]],
])("runs the expected GitLab jobs for %s", (_, variables, jobs) => {
  expect(gitlabJobsAt(gitlab, variables)).toEqual(jobs);
});

test("exposes only the preview token to pull requests, and gives GitHub's token only read access", () => {
  expect(github.permissions).toEqual({ contents: "read" });
  const { preview, ...others } = github.jobs;
  expect(preview?.permissions).toEqual({ contents: "read", "pull-requests": "write" });
  for (const { permissions } of Object.values(others)) expect(permissions).toBeUndefined();
  expect(JSON.stringify(preview).match(/secrets\.\w+/g)).toEqual(["secrets.DBPLATFORM_PREVIEW_TOKEN"]);
  for (const job of Object.values(others)) expect(job).toHaveProperty("environment");
});

test("shows the preview of a pull request in a comment, with the inputs of pulumi/actions", () => {
  const commands = Object.values(github.jobs).flatMap(({ steps }) => steps.filter((step) => step.with?.command));
  expect(commands.map((step) => step.with)).toEqual([
    expect.objectContaining({ command: "preview", "stack-name": "production", "comment-on-pr": true }),
  ]);
});

/** Creates a repository's secrets and variables by following the example's README. */
async function prepared(here: EngineFixture, stack: Stack) {
  expect(await stack.shell(`${setUpTokens}${setUpStack}`)).toMatchObject({ code: 0 });
  const { output } = await stack.shell("pulumi --cwd tokens stack output --show-secrets --json");
  const { previewToken, deployToken, driftToken } = JSON.parse(output) as Record<string, string>;
  const { environment } = stack;
  // Removes the owner's credential from the environment.
  stack.setEnvironment({ DBPLATFORM_API_TOKEN: "", DBPLATFORM_ORGANIZATION: "", DBPLATFORM_BASE_URL: "" });
  const vars = {
    DBPLATFORM_BASE_URL: here.api.url,
    DBPLATFORM_ORGANIZATION: here.api.organization,
    PULUMI_BACKEND_URL: environment.PULUMI_BACKEND_URL ?? "",
  };
  const secrets = {
    DBPLATFORM_PREVIEW_TOKEN: previewToken ?? "",
    DBPLATFORM_DEPLOY_TOKEN: deployToken ?? "",
    DBPLATFORM_DRIFT_TOKEN: driftToken ?? "",
    PULUMI_CONFIG_PASSPHRASE: environment.PULUMI_CONFIG_PASSPHRASE ?? "",
  };
  return { vars, secrets };
}

test.runIf(full)(
  "previews, deploys, detects drift and restores with minimal permissions, and deletes nothing",
  async () => {
    const here = await engineFixture();
    const stack = await here.stack("ci");
    const { vars, secrets } = await prepared(here, stack);
    const onGithub = (event: object) => runGithub(stack, github, { ...at(event), vars, secrets });
    const onGitlab = (variables: GitlabVariables) => runGitlab(stack, gitlab, { ...vars, ...secrets, ...variables });

    const { tokens } = await here.outside.listApiTokens({ organizationSlug: here.api.organization });
    const scopes = Object.fromEntries(tokens.map(({ name, scopes }) => [name.replace(/-[0-9a-f]{7}$/, ""), scopes]));
    expect(scopes).toMatchObject({
      "shop-preview": ["read"],
      "shop-deploy": ["db:configure", "db:create", "read"],
      "shop-drift": ["read"],
    });

    expect(await onGithub(PUSH)).toMatchObject({ code: 0 });
    const deployed = await here.databases();
    expect(Object.keys(deployed).map((name) => name.replace(/-[0-9a-f]{7}$/, ""))).toEqual(["catalogue", "orders"]);
    expect(await onGithub(SCHEDULE)).toMatchObject({ code: 0 });

    const [catalogue = ""] = Object.values(deployed);
    await here.deleteDatabase(catalogue);
    here.takeWrites();
    const drift = await onGithub(SCHEDULE);
    expect(drift.code).toBe(7);
    expect(drift.output).toContain("::error::The platform is not what main says.");
    expect(drift.output).toContain("What was deleted earlier is created again, empty.");
    expect(drift.output).toMatch(/can be restored with its data until/);
    const summary = readFileSync(summaryFile(stack), "utf8");
    expect(summary).toMatch(/^No drift\.$/m);
    expect(summary).toMatch(/^\| Database catalogue \| update \| deletedAt \|$/m);
    expect(summary).toMatch(/^- warning: .*can be restored with its data until \d.*\.$/m);
    const alsoDrifted = await onGitlab(SCHEDULED);
    expect(alsoDrifted.code).toBe(7);
    expect(alsoDrifted.output).toContain("What was deleted earlier is created again, empty.");
    const [report = ""] = gitlab.drift?.artifacts?.paths ?? [];
    expect(readFileSync(join(stack.project, report), "utf8")).toMatch(
      /^\| Database catalogue \| update \| deletedAt \|$/m,
    );
    expect(here.takeWrites()).toEqual([]);

    expect(await onGitlab(PUSHED)).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual(deployed);

    const program = join(stack.project, "index.ts");
    appendFileSync(program, 'new dbplatform.Database("invoices", { group }, retained);\n');
    writeFileSync(
      program,
      readFileSync(program, "utf8")
        .replace(/^const catalogue.*\n/m, "")
        .replace(/, catalogue:.*hostname/, ""),
    );
    here.takeWrites();
    const shown = [await onGithub(PULL_REQUEST), await onGitlab(MERGE_REQUEST)];
    for (const { code, output } of shown) {
      expect(code).toBe(0);
      expect(output).toMatch(/^\| Database invoices \| create \|/m);
      expect(output).toContain(enoughScopes({ scopes: ["read", "db:create", "db:configure"], isEnough: true }));
      for (const secret of Object.values(secrets)) expect(output).not.toContain(secret);
    }
    const deployable = readFileSync(program, "utf8");
    writeFileSync(program, `${deployable}new dbplatform.Group("shops", { location: "aws-eu-west-1" });\n`);
    for (const { code, output } of [await onGithub(PULL_REQUEST), await onGitlab(MERGE_REQUEST)]) {
      expect(code).toBe(7);
      expect(output).toMatch(/^ +Group shops +organization-level +create$/m);
    }
    for (const path of [summaryFile(stack), join(stack.project, gitlab.preview?.artifacts?.paths[0] ?? "")])
      expect(readFileSync(path, "utf8")).toMatch(/^ +Group shops +organization-level +create$/m);
    writeFileSync(program, deployable);
    expect(here.takeWrites()).toEqual([]);

    expect(await onGithub(PUSH)).toMatchObject({ code: 0 });
    expect(await here.databases()).toMatchObject(deployed);
    const deploying = clientOf(here.api, secrets.DBPLATFORM_DEPLOY_TOKEN);
    const deletion = deploying.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId: catalogue });
    await expect(deletion).rejects.toThrow("db:delete");
    for (const token of [secrets.DBPLATFORM_DEPLOY_TOKEN, here.api.apiToken])
      expect(stack.filesWith(token)).toEqual([]);

    expect(await stack.shell(String(rotate), { environment: here.environment })).toMatchObject({ code: 0 });
    const replaced = await stack.shell("pulumi --cwd tokens stack output --show-secrets --json");
    const { deployToken: next } = JSON.parse(replaced.output) as { deployToken: string };
    const listed = (token: string) => clientOf(here.api, token).listDatabases({ organizationSlug: "acme" });
    await expect(listed(secrets.DBPLATFORM_DEPLOY_TOKEN)).rejects.toThrow("401");
    expect((await listed(next)).databases.length).toBeGreaterThan(1);
  },
  600_000,
);
