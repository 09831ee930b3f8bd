import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { engines, version } from "../../platform/package.json";
import { published } from "../../tools/release/archives";
import { packPlatform } from "../../tools/release/package";
import { root } from "../../tools/run";
import { leaksIn } from "../engine/secrets";
import { copyRepository } from "./stamped-release";

const folder = mkdtempSync(join(tmpdir(), "platform-package-"));
const project = join(folder, "project");
const installed = join(project, "node_modules/emulator-for-turso");
let packed: string;

const execute = (cwd: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd, stdio: "pipe" }).toString();

/** Installs the tarball into an empty folder, without the network. */
beforeAll(() => {
  packed = packPlatform(root, folder);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name": "user", "private": true}');
  execute(project, "npm", "install", "--offline", "--no-audit", "--no-fund", packed);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesIn = (place: string) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

const bytesIn = (place: string): number => filesIn(place).reduce((sum, file) => sum + statSync(file).size, 0);

test("the package brings no other package, no install script and nothing that only the repository needs", () => {
  expect(readdirSync(join(project, "node_modules")).sort()).toEqual([
    ".bin",
    ".package-lock.json",
    "emulator-for-turso",
  ]);
  const { name, bin, ...others } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect({ name, bin }).toEqual({ name: "emulator-for-turso", bin: { "emulator-for-turso": "dist/cli.js" } });
  expect(others).toMatchObject({ version, engines });
  expect(Object.keys(others).filter((key) => /scripts|dependencies|imports|private/i.test(key))).toEqual([]);
});

test("takes at most 8 MB, with and without the code that it has compiled", async () => {
  expect(statSync(packed).size).toBeLessThan(1e6);
  expect(bytesIn(join(project, "node_modules"))).toBeLessThan(8e6);
  await stop(await serve("--sql"));
  expect(readdirSync(join(installed, ".compile-cache")).length).toBeGreaterThan(0);
  expect(bytesIn(join(project, "node_modules"))).toBeLessThan(8e6);
});

type Server = ChildProcessByStdio<null, Readable, null>;

/** Starts the command as `npx` does, and waits until it is ready. */
async function start(...args: string[]): Promise<{ readonly server: Server; readonly printed: string }> {
  const server = spawn("npx", ["--offline", "emulator-for-turso", "serve", ...args], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => {
    const isRunning = server.exitCode === null && server.signalCode === null;
    if (isRunning) process.kill(-Number(server.pid), "SIGKILL");
  });
  const [printed] = await once(server.stdout, "data");
  return { server, printed: String(printed) };
}

async function serve(...args: string[]): Promise<{ readonly server: Server; readonly ready: Record<string, string> }> {
  const { server, printed } = await start("--json", ...args);
  return { server, ready: JSON.parse(printed) };
}

async function stop({ server }: { readonly server: Server }): Promise<void> {
  // The server that `npx` has started still writes its compiled code when `npx` has ended.
  const ended = once(server, "close");
  process.kill(-Number(server.pid), "SIGTERM");
  await ended;
}

test("`npx emulator-for-turso serve` serves the API, its page and its description", async () => {
  const { ready, server } = await serve();
  const get = async (path: string) => {
    const { status } = await fetch(`${ready.url}${path}`, { headers: { Authorization: `Bearer ${ready.apiToken}` } });
    return status;
  };
  const paths = ["/v1/locations", "/openapi.json", "/_reference/health", "/", "/page/live.js", "/docs/redoc.js"];
  expect(await Promise.all(paths.map(get))).toEqual(paths.map(() => 200));
  await stop({ server });
});

test("the command is called by the name of its package, and offers no command of the provider", () => {
  const run = (...args: string[]) => execute(project, "npx", "--offline", "emulator-for-turso", ...args);
  expect(run("--version")).toBe(`${version}\n`);
  const help = ["", "serve", "token", "snapshot", "seed"].map((part) =>
    run(...part.split(" ").filter(Boolean), "--help"),
  );
  expect(help.join("")).not.toMatch(/dbplatform (api|serve)|pulumi-dbplatform|from-live/);
  expect(help[0]).toMatch(/^Usage: emulator-for-turso \[options\] \[command\]\n/);
  expect(help[1]).toContain('eval "$(npx emulator-for-turso serve --background)"');
  expect(help.join("")).not.toMatch(/^ +\$ (?!eval|npx|export|turso)/m);
});

test("`serve` of the package names curl where the provider's command names Pulumi", async () => {
  const { server, printed } = await start();
  await stop({ server });
  expect(printed).toContain("For curl, in another shell:");
  expect(printed).not.toMatch(/pulumi/i);
});

test("`serve --background` of the package names curl in a terminal", () => {
  const env = { ...process.env, TMPDIR: mkdtempSync(join(folder, "background-")) };
  const command = "npx --offline emulator-for-turso";
  // `script` runs the commands in a pseudo-terminal.
  const commands = `${command} serve --background --data :memory: && ${command} stop`;
  const terminal = ["--quiet", "--return", "--command", commands, "/dev/null"];
  const printed = execFileSync("script", terminal, { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] });
  expect(String(printed)).toContain("into a shell, and run `curl ");
  expect(String(printed)).not.toMatch(/pulumi/i);
});

test("the page of the package says what holds for the packed file, and each of its links leads somewhere", () => {
  const page = readFileSync(join(installed, "README.md"), "utf8");
  expect(page).not.toContain("<!--");
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !/^https:/.test(link))).toEqual([]);
});

const STORY = `
const turso = await startReferenceApi({ sql: true });
const answer = await fetch(turso.url + "/v1/organizations/" + turso.organization, { headers: { Authorization: "Bearer " + turso.apiToken } });
console.log(answer.status);
await turso.close();`;

test.each([
  ["require", "cjs", `const { startReferenceApi } = require("emulator-for-turso"); (async () => {${STORY} })();`],
  ["import", "mjs", `import { startReferenceApi } from "emulator-for-turso";${STORY}`],
])("programs start the API after `%s`", (_, ending, text) => {
  writeFileSync(join(project, `story.${ending}`), text);
  expect(execute(project, process.execPath, `story.${ending}`)).toBe("200\n");
});

/** The options of the compiler by `moduleResolution`, with the tags of the test. */
const RESOLUTIONS = [
  ["nodenext", ["--module", "nodenext", "--moduleResolution", "nodenext"], []],
  ["node10", ["--module", "commonjs", "--moduleResolution", "node10", "--ignoreDeprecations", "6.0"], ["more"]],
] as const;

for (const [name, options, tags] of RESOLUTIONS)
  test(`programs compile with \`moduleResolution: ${name}\`, with the types of Node.js alone`, {
    tags: [...tags],
  }, () => {
    const program = `
import { type Fault, type ReferenceApi, type Seed, startReferenceApi } from "emulator-for-turso";
const fault: Fault = { operation: "createDatabase", status: 503, retryAfter: 0, times: 2 };
// @ts-expect-error No such operation.
const wrong: Fault = { operation: "createDatabaze", status: 503 };
export const started: Promise<ReferenceApi> = startReferenceApi({ faults: [fault, wrong] });
export type Content = Seed;
`;
    writeFileSync(join(project, `${name}.ts`), program);
    mkdirSync(join(project, "node_modules/@types"), { recursive: true });
    symlinkSync(join(root, "node_modules/@types/node"), join(project, "node_modules/@types/node"));
    onTestFinished(() => rmSync(join(project, "node_modules/@types"), { recursive: true }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const checked = ["--noEmit", "--strict", "--types", "node", "--skipLibCheck", "false"];
    expect(execute(project, process.execPath, tsc, ...checked, ...options, `${name}.ts`)).toBe("");
  });

test("the package contains no credentials, no sources and no paths from the machine that built it", () => {
  const files = filesIn(installed);
  expect(files.filter((file) => /(\.map|(?<!\.d)\.ts)$/.test(file))).toEqual([]);
  const texts = files.filter((file) => !file.includes(".compile-cache")).map((file) => readFileSync(file, "utf8"));
  expect(texts.filter((text) => leaksIn(text).length > 0 || text.includes(root))).toEqual([]);
});

test("`npm pack -w platform` makes the file of a release, and changes nothing in the checkout", {
  tags: "more",
}, () => {
  const checkout = join(folder, "checkout");
  copyRepository(checkout);
  const before = filesIn(join(checkout, "platform")).map((file) => [file, readFileSync(file, "utf8")]);
  const name = execute(checkout, "npm", "pack", "-w", "platform", "--silent").trim().split("\n").at(-1) ?? "";
  expect(filesIn(join(checkout, "platform")).map((file) => [file, readFileSync(file, "utf8")])).toEqual(before);
  const ofRelease = packPlatform(checkout, mkdtempSync(join(folder, "release-")));
  expect(published(join(checkout, name)).sha256).toBe(published(ofRelease).sha256);
});
