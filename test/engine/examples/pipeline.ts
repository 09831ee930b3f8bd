import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../../../tools/run";
import type { Run, Stack } from "../stack";

export type GithubContext = Readonly<Record<"github" | "vars" | "secrets", Readonly<Record<string, unknown>>>>;
export type GitlabVariables = Readonly<Record<string, string>>;

interface GithubStep {
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface GithubJob {
  readonly if: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly GithubStep[];
}
export interface GithubWorkflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, GithubJob>>;
}
export interface GitlabJob {
  readonly rules: readonly { readonly if: string }[];
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[] };
}

/** The command that installs npm packages. Tests skip it, and link packages that are already installed. */
const INSTALLATION = "npm ci";

const read = (path: string) => parse(readFileSync(join(root, "examples", path), "utf8"));

export const githubWorkflow = (path: string): GithubWorkflow => read(path);

export function gitlabJobs(path: string): Record<string, GitlabJob> {
  const { image, before_script, ...jobs } = read(path);
  if (!image || String(before_script) !== INSTALLATION) throw new Error(`${path} prepares its jobs in another way`);
  return jobs;
}

export const githubJobsAt = ({ jobs }: GithubWorkflow, context: GithubContext): string[] =>
  Object.keys(jobs).filter((name) => evaluated(jobs[name]?.if ?? "true", context));

export const gitlabJobsAt = (jobs: Record<string, GitlabJob>, variables: GitlabVariables): string[] =>
  Object.keys(jobs).filter((name) => jobs[name]?.rules.some((rule) => evaluatedRule(rule.if, variables)));

/** The file that GitHub shows as the summary of a job. */
export const summaryFile = (stack: Stack): string => join(stack.folder, "summary.md");

/**
 * Runs the job that GitHub would run in this context, without its installation steps.
 * @throws Error unless GitHub would run exactly one job with exactly one step besides the installation.
 */
export async function runGithub(stack: Stack, workflow: GithubWorkflow, context: GithubContext): Promise<Run> {
  const [name = "", ...others] = githubJobsAt(workflow, context);
  const job = workflow.jobs[name];
  if (!job || others.length > 0) throw new Error(`not one job, but: ${[name, ...others].join(", ")}`);
  const environment = Object.fromEntries(
    Object.entries({ ...workflow.env, ...job.env }).map(([key, text]) => [key, filledIn(text, context)]),
  );
  const scripts = job.steps.flatMap(({ run = INSTALLATION }) => (run === INSTALLATION ? [] : [run]));
  if (scripts.length !== 1) throw new Error(`the job ${name} has ${scripts.length} steps of its own, not one`);
  return stack.shell(filledIn(String(scripts), context), {
    environment: { ...environment, GITHUB_STEP_SUMMARY: summaryFile(stack) },
  });
}

export async function runGitlab(
  stack: Stack,
  jobs: Record<string, GitlabJob>,
  variables: GitlabVariables,
): Promise<Run> {
  const [name = "", ...others] = gitlabJobsAt(jobs, variables);
  const job = jobs[name];
  if (!job || others.length > 0) throw new Error(`not one job, but: ${[name, ...others].join(", ")}`);
  const own = Object.entries(job.variables).map(([key, text]) => [
    key,
    text.replace(/\$(\w+)/g, (_, variable) => variables[variable] ?? ""),
  ]);
  const environment = { ...variables, ...Object.fromEntries(own) };
  return stack.shell(job.script.join("\n"), { environment, options: ["-e", "-o", "pipefail"] });
}

const filledIn = (text: string, context: GithubContext): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluated(expression, context) ?? ""));

/**
 * Evaluates a GitHub expression as JavaScript. Both languages give the same result for the expressions in the examples.
 */
const evaluated = (expression: string, { github, vars, secrets }: GithubContext): unknown =>
  new Function("github", "vars", "secrets", `return (${expression});`)(github, vars, secrets);

const evaluatedRule = (rule: string, variables: GitlabVariables): boolean =>
  new Function(`return (${rule.replace(/\$(\w+)/g, (_, name) => JSON.stringify(variables[name] ?? null))});`)();
