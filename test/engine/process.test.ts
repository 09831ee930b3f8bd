import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../tools/run";
import { Pulumi } from "./cli";
import { world } from "./world";

const PROGRAM = `name: test
runtime: yaml
plugins:
  providers:
    - name: dbplatform
      path: ${root}
resources:
  orders:
    type: dbplatform:Database
    properties:
      name: orders
      group: default
`;

/** A command of the CLI that the test can send signals to. */
async function started() {
  const here = await world();
  const stack = await here.stack(async () => {}, { settings: { runtime: "yaml" } });
  const cwd = join(stack.folder, "project");
  writeFileSync(join(cwd, "Pulumi.yaml"), PROGRAM);
  const begin = (...args: string[]) => {
    const pulumi = spawn(join(Pulumi.bin, "pulumi"), [...args, "--non-interactive", "--color", "never"], {
      cwd,
      env: stack.environment,
      stdio: "ignore",
    });
    onTestFinished(() => void pulumi.kill("SIGKILL"));
    return pulumi;
  };
  return { here, stack, begin };
}

/** Processes of the provider that were started by this command. */
const providersOf = ({ pid }: ChildProcess): number[] =>
  execFileSync("sh", ["-c", `pgrep -P ${pid} -f pulumi-resource-dbplatform || true`])
    .toString()
    .split("\n")
    .filter(Boolean)
    .map(Number);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const exited = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", resolve));

test("the provider ends when its engine was killed, though a request is under way", async () => {
  const { here, begin } = await started();
  here.api.fault({ operation: "createDatabase", hang: true });
  const pulumi = begin("up", "--yes", "--skip-preview");
  const lookedUp = () => here.api.journal().some(({ operation }) => operation === "listGroups");
  await expect.poll(lookedUp, { timeout: 20_000 }).toBe(true);
  const providers = providersOf(pulumi);
  expect(providers.length).toBeGreaterThan(0);
  const end = exited(pulumi);
  pulumi.kill("SIGKILL");
  await end;
  await expect.poll(() => providers.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

test("after Ctrl-C the creation that is under way is finished and recorded, and nothing is left running", async () => {
  const { here, stack, begin } = await started();
  here.api.fault({ operation: "createDatabase", latency: 1_500 });
  const pulumi = begin("up", "--yes", "--skip-preview");
  const lookedUp = () => here.api.journal().some(({ operation }) => operation === "listGroups");
  await expect.poll(lookedUp, { timeout: 20_000 }).toBe(true);
  const providers = providersOf(pulumi);
  const end = exited(pulumi);
  pulumi.kill("SIGINT");
  expect(await end).not.toBe(0);
  const { orders } = await here.databases();
  expect(orders).toBeTruthy();
  expect(JSON.stringify(await stack.exportState())).toContain(orders);
  expect(providers.filter(isAlive)).toEqual([]);
  expect(await stack.cli("up", "--yes", "--skip-preview", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("standard output of the plugin is the port, and nothing else", async () => {
  const plugin = spawn(join(root, "pulumi-resource-dbplatform"), [], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  let output = "";
  plugin.stdout.on("data", (text) => {
    output += text;
  });
  await expect.poll(() => output).toMatch(/^\d+\n$/);
});

test("a provider that was started by hand, to be debugged, serves one engine after another", async () => {
  const { here, stack } = await started();
  const env = stack.environment;
  const plugin = spawn(join(root, "pulumi-resource-dbplatform"), [], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void plugin.kill("SIGKILL"));
  const port = await new Promise((resolve) => plugin.stdout.once("data", (text) => resolve(String(text).trim())));
  stack.setEnvironment({ PULUMI_DEBUG_PROVIDERS: `dbplatform:${port}` });
  for (const args of [["preview"], ["up", "--yes", "--skip-preview"], ["destroy", "--yes", "--skip-preview"]])
    expect(await stack.cli(...args)).toMatchObject({ code: 0 });
  expect(here.writes()).toEqual(["createDatabase", "deleteDatabaseById"]);
  expect(plugin.exitCode).toBeNull();
});
