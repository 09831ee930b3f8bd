import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { root } from "../../../tools/run";
import { blocksOf } from "../../docs/blocks";
import { Pulumi } from "../cli";

const table = readFileSync(join(root, "examples/README.md"), "utf8");
const listed = [...table.matchAll(/^\| \[([a-z-]+)\]\(\1\) \| `(.+?)` \|/gm)].map(([, name = "", command = ""]) => ({
  name,
  command,
}));

const folder = mkdtempSync(join(tmpdir(), "dbplatform-run-it-"));
const checkout = join(folder, "checkout");
const home = join(folder, "home");

/** Copies the checkout, because each command rebuilds `dist/` while other tests use it. */
beforeAll(() => {
  const left = new Set(["node_modules", "dist", ".git"]);
  cpSync(root, checkout, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  mkdirSync(home);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a command in the checkout as on a new machine, with an empty home folder and the Pulumi CLI on the PATH. */
function start(command: string) {
  const env = { HOME: home, PATH: [Pulumi.bin, process.env.PATH].join(delimiter), SHELL: "/bin/sh", NO_COLOR: "1" };
  // Gives the command its own process group, because a terminal sends Ctrl-C to the whole group.
  const child = spawn("sh", ["-c", command], { cwd: checkout, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-Number(child.pid), "SIGKILL");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const ended = once(child, "close").then(([code]) => ({ code, output }));
  return { child, ended, output: () => output };
}

/** Have no program of this provider: policy.test.ts runs the pack, and the workflow the tests in a container. */
const WITHOUT_PROGRAM = ["policy", "testcontainers"];

test("examples/README.md lists a command for every example that is a program", () => {
  const there = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...listed.map(({ name }) => name), ...WITHOUT_PROGRAM].sort()).toEqual(there.map(({ name }) => name).sort());
});

const serving = listed.filter(({ command }) => command.includes(" serve "));

test.each(listed.filter((example) => !serving.includes(example)))(
  "the command listed in examples/README.md runs the $name example",
  { tags: "more" },
  async ({ name, command }) => {
    const { child, ended } = start(command);
    // Without a command, `npm run example` opens a shell. Sends the first commands of the README to this shell.
    const page = `examples/${name}/README.md`;
    const [first] = existsSync(join(root, page)) ? blocksOf(page).filter(({ language }) => language === "sh") : [];
    child.stdin.end(first ? `set -e\n${first.text}` : "");
    const { code, output } = await ended;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^ {4}\+ \d+ created$|^globex: globex-\S+$| \d+ passed/m);
    expect(output).not.toContain("failed");
  },
);

test("runs the demo command from the README", { tags: "more" }, async () => {
  const [, command = ""] = /`npm ci && (npm run demo)`/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const { code, output } = await start(command).ended;
  expect(code, output).toBe(0);
  expect(output).toMatch(/^── Done in \d+ s\. Nothing is left running\.$/m);
});

test.each(serving)(
  "the command listed in examples/README.md runs the $name example until Ctrl-C",
  { tags: "more" },
  async ({ command }) => {
    const { child, ended, output } = start(command);
    await expect.poll(output, { timeout: 120_000 }).toMatch(/export TURSO_API_TOKEN=/);
    const [, url = "", token = ""] = /BASE_URL=(\S+).*API_TOKEN=(\S+)/s.exec(output()) ?? [];
    const answer = await fetch(`${url}/v1/organizations`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject([{ slug: "shop" }]);
    process.kill(-Number(child.pid), "SIGINT");
    await ended;
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  },
);
