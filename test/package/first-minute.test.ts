// @module-tag more

import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { packPlugin } from "../../tools/release/archives";
import { packPackage } from "../../tools/release/package";
import { root } from "../../tools/run";
import { Pulumi } from "../engine/cli";

const { version, pulumi } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** How long a command may run. The slowest one downloads packages. */
const LIMIT_MS = 300_000;

/** The end of each question with which Pulumi asks for a choice. */
const QUESTION = "[Use arrows to move, type to filter]";

/** An interactive shell in a pseudo-terminal, because commands ask questions only there. */
class Terminal {
  /** The number of questions that commands have asked. */
  prompts = 0;
  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #changed: () => void = () => undefined;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    const shell = ["--quiet", "--command", "bash --noprofile --norc --noediting", "/dev/null"];
    this.#child = spawn("script", shell, { cwd, env, detached: true });
    onTestFinished(() => void process.kill(-Number(this.#child.pid), "SIGKILL"));
    this.#child.stdout.setEncoding("utf8").on("data", (text) => {
      this.#output += text;
      this.#changed();
    });
  }

  /**
   * Types a command, and answers `yes` to its question.
   *
   * @returns Everything that the terminal has shown.
   * @throws Error if the command fails or does not end, for example because it asks a second question.
   */
  async run(command: string): Promise<string> {
    this.#output = "";
    this.#child.stdin.write(`${command}\n`);
    const limit = AbortSignal.timeout(LIMIT_MS);
    limit.addEventListener("abort", () => this.#changed());
    let isAsked = false;
    for (;;) {
      const shown = stripVTControlCharacters(this.#output);
      const [, code] = /\[ended: (\d+)\]/.exec(shown) ?? [];
      if (code === "0") return shown;
      if (code !== undefined || limit.aborted) throw new Error(`${command}: ${code ?? "does not end"}\n${shown}`);
      if (!isAsked && shown.includes(QUESTION)) {
        isAsked = true;
        this.prompts++;
        this.#child.stdin.write("yes\r");
      }
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
}

/** The environment of a new user, except for the settings of npm and of certificates on this machine. */
function newUser(folder: string): NodeJS.ProcessEnv {
  const foreign = /^(CI|(BUILD|DBPLATFORM|GITHUB|NODE|PULUMI|TURSO|VITEST|XDG|npm)_\w+)$/;
  const environment = Object.entries(process.env).filter(([name]) => !foreign.test(name) || name.endsWith("_CERTS"));
  const npm = (setting: string) => execFileSync("npm", ["config", "get", setting]).toString().trim();
  return {
    ...Object.fromEntries(environment),
    HOME: join(folder, "home"),
    // Pulumi takes the home folder from the user database instead of HOME.
    PULUMI_HOME: join(folder, "home/.pulumi"),
    // Separates the background server from those of other tests.
    TMPDIR: folder,
    TERM: "xterm",
    PATH: [Pulumi.bin, process.env.PATH].join(delimiter),
    npm_config_registry: npm("registry"),
    npm_config_cache: npm("cache"),
  };
}

/** Installs the plugin from its archive, because the download server of a release does not have it yet. */
function installPlugin(folder: string, env: NodeJS.ProcessEnv): void {
  const archive = packPlugin(root, version, join(folder, "archives")).find(({ path }) => path.includes("linux-amd64"));
  const from = ["resource", "dbplatform", `v${version}`, "--file", archive?.path ?? ""];
  execFileSync(join(Pulumi.bin, "pulumi"), ["plugin", "install", ...from], { env });
}

const readme = readFileSync(join(root, "README.md"), "utf8");
const [, story = ""] = /^!\[[^\]]*\]\([^)]*docs\/restore\.svg\)\n\n## [^\n]*\n(.*?)^## /ms.exec(readme) ?? [];

/** The steps of the story: files to write, and commands. */
const steps = [...story.matchAll(/`([\w.]+)`:\n\n```\w+\n(.*?)^```|(?<=\n\n)(?: {4}\S[^\n]*\n)+/gms)].map(
  ([block, file, text = ""]) => ({ file, text, commands: file ? [] : (block.match(/(?<=^ {4}).+$/gm) ?? []) }),
);
const commands = steps.flatMap((step) => step.commands);

test("README.md leads from an empty folder to a restored database with six commands and two questions", async () => {
  expect(commands.length).toBeLessThanOrEqual(6);
  const untilFirstUp = commands.slice(0, 1 + commands.findIndex((command) => command.endsWith("pulumi up")));
  expect(untilFirstUp.join("&&").split("&&").length).toBeLessThanOrEqual(6);
  expect(story).not.toMatch(/…|\.\.\.|<\w+>/);

  const folder = mkdtempSync(join(tmpdir(), "dbplatform-minute-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  for (const name of ["home", "project"]) mkdirSync(join(folder, name));
  packPackage(root, project);
  const env = newUser(folder);
  if (pulumi.server) installPlugin(folder, env);
  onTestFinished(() => void spawnSync("npx", ["dbplatform", "api", "stop"], { cwd: project, env }));
  const terminal = new Terminal(project, env);
  await terminal.run("stty columns 120 rows 50; PS1='[ended: $?] '");

  const shown: Record<string, string> = {};
  for (const { file, text, commands } of steps) {
    if (file) writeFileSync(join(project, file), text);
    for (const command of commands)
      shown[command] = await terminal.run(
        // A release is not published yet when it is tested.
        command.replace(/(?<=^npm install )pulumi-dbplatform(?= )/, `./pulumi-dbplatform-${version}.tgz`),
      );
  }
  expect(terminal.prompts).toBeLessThanOrEqual(2);

  const [, dbId = "no id"] = /dbId *: "([^"]+)"/.exec(shown[untilFirstUp.at(-1) ?? ""] ?? "") ?? [];
  expect(shown["pulumi preview"]).toContain('Database "orders" was deleted by ada');
  const databases = await terminal.run(
    'curl -s -H "Authorization: Bearer $DBPLATFORM_API_TOKEN" $DBPLATFORM_BASE_URL/v1/organizations/acme/databases',
  );
  expect(databases).toContain(`"DbId":"${dbId}"`);

  const [, ...cleaningUp] = /run `([^`]+)` and `([^`]+)`\./.exec(story) ?? [];
  expect(cleaningUp).toHaveLength(2);
  for (const command of cleaningUp) await terminal.run(command);
});
