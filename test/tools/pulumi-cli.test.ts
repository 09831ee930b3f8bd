import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type EnsureOptions, ensurePulumiCli, type PulumiCli } from "../../tools/pulumi-cli/ensure";
import { homeFolder } from "../../tools/pulumi-cli/home";
import { progressLines } from "../../tools/pulumi-cli/progress";
import { run } from "../../tools/pulumi-cli/run";
import { MINIMUM, PINNED } from "../../tools/versions";

const project = resolve(__dirname, "../..");
const commands = ["tar", "gzip", "cp", "sleep"];
const nowhere = "http://127.0.0.1:1";

let root: string;
let said: string[];
let servers: Server[];
/** Folder with the fake CLI. The fake `go` copies this folder's files, and the fake archive contains them. */
let made: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pulumi-cli-")));
  said = [];
  servers = [];
  made = join(root, "made", "pulumi");
  await cli(made, PINNED.cli);
  await mkdir(join(root, "commands"));
  for (const command of commands) await symlink(await onPath(command), join(root, "commands", command));
  vi.stubEnv("NO_PROXY", "127.0.0.1");
  vi.stubEnv("no_proxy", "127.0.0.1");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(root, { recursive: true });
});

test("uses a CLI on PATH that is new enough and has the Node.js language host next to it", async () => {
  const bin = await cli(join(root, "bin"), MINIMUM.cli);
  expect(await ensure([bin])).toEqual({ bin, version: MINIMUM.cli, how: "path" });
});

test("finds the Node.js language host in another folder on PATH", async () => {
  const bin = await program(join(root, "bin"), "pulumi", "echo v3.300.1");
  const host = await program(join(root, "host"), "pulumi-language-nodejs", "");
  expect(await ensure([bin, host])).toEqual({ bin, version: "3.300.1", how: "path" });
});

test.each([
  ["is too old", (bin: string) => cli(bin, "3.0.0")],
  ["has no Node.js host", (bin: string) => program(bin, "pulumi", "echo v3.300.1")],
  ["does not run", (bin: string) => cli(bin, PINNED.cli, "exit 1")],
  ["is the launcher of the npm package", () => Promise.resolve(join(project, "node_modules", ".bin"))],
])("ignores a CLI on PATH that %s", async (_case, put) => {
  const passedOver = await put(join(root, "bin"));
  const home = await cli(homeBin(), PINNED.cli);
  expect(await ensure([passedOver])).toEqual({ bin: home, version: PINNED.cli, how: "home" });
});

test("looks for the Pulumi CLI in the folder where the npm package `pulumi` installs it", () => {
  const { cacheDir } = createRequire(__filename)("pulumi/lib/cache");
  vi.stubEnv("PULUMI_HOME", join(root, "home"));
  expect(homeFolder(process.env)).toBe(cacheDir(PINNED.cli));
  vi.stubEnv("PULUMI_HOME", undefined);
  expect(homeFolder(process.env)).toBe(cacheDir(PINNED.cli));
});

test("installs an archive that was downloaded completely", async () => {
  const archive = await serve(await archived(), "whole");
  expect(await ensure([], { archive })).toEqual({ bin: homeBin(), version: PINNED.cli, how: "downloaded" });
  expect(await programs()).toEqual(["pulumi", "pulumi-language-nodejs"]);
  expect(await unfinished()).toEqual([]);
  expect(await ensure([])).toMatchObject({ how: "home" });
});

test("installs Windows archives, which contain a bin folder", async () => {
  await rm(made, { recursive: true });
  await cli(join(made, "bin"), PINNED.cli);
  const archive = await serve(await archived(), "whole");
  expect(await ensure([], { archive })).toMatchObject({ how: "downloaded" });
  expect(await programs()).toEqual(["pulumi", "pulumi-language-nodejs"]);
});

test.each([
  ["stalls after some bytes", "stalls", "no byte for 0.2 s"],
  ["never answers", "silent", "no byte for 0.2 s"],
  ["breaks off", "breaks off", "not downloaded"],
  ["is refused", "missing", "answered 404"],
] as const)("abandons a download that %s, and builds the CLI", async (_case, behaviour, reason) => {
  const go = await fakeGo();
  const archive = await serve(await archived(), behaviour);
  expect(await ensure([go], { archive, stallLimit: 200 })).toMatchObject({ bin: homeBin(), how: "built" });
  expect(said.join("\n")).toContain(reason);
  expect(await unfinished()).toEqual([]);
});

test("gives up on a proxy that accepts a connection and then sends nothing", async () => {
  await silentProxy(() => {});
  await expect(ensure([], { archive: "https://archive.invalid", stallLimit: 200 })).rejects.toThrow("No Pulumi CLI");
  expect(said.join("\n")).toContain("no byte for 0.2 s");
});

test("stops a cancelled download, even before it connects", async () => {
  const stop = new AbortController();
  await silentProxy(() => stop.abort(new Error("stopped")));
  const ensured = ensure([await fakeGo()], { archive: "https://archive.invalid", signal: stop.signal });
  await expect(ensured).rejects.toThrow("stopped");
  expect(await unfinished()).toEqual([]);
});

test("does not install an archive whose program does not run", async () => {
  await cli(made, PINNED.cli, "exit 1");
  const archive = await serve(await archived(), "whole");
  await expect(ensure([], { archive })).rejects.toThrow("No Pulumi CLI");
  expect(await versions()).toEqual([]);
});

test("replaces an installation that lacks the Node.js language host", async () => {
  await program(homeBin(), "pulumi", `echo v${PINNED.cli}`);
  expect(await ensure([await fakeGo()])).toMatchObject({ bin: homeBin(), how: "built" });
  expect(await programs()).toEqual(["pulumi", "pulumi-language-nodejs"]);
});

test("a killed build leaves no installation that looks complete, and the next process cleans up", async () => {
  const go = await fakeGo({ build: `cp "${made}"/pulumi "$out"; kill -KILL $PPID` });
  expect(await shell([go])).toMatchObject({ signal: "SIGKILL" });
  expect(await unfinished()).toHaveLength(1);
  expect(await versions()).toEqual([]);
  expect(await ensure([await fakeGo()])).toMatchObject({ how: "built" });
  expect(await unfinished()).toEqual([]);
});

test("stops the build on Ctrl-C, and removes unfinished files", async () => {
  const go = await fakeGo({ build: `cp "${made}"/pulumi "$out"; kill -INT $PPID; exec sleep 60` });
  expect(await shell([go])).toMatchObject({ code: 130, output: "" });
  expect(await unfinished()).toEqual([]);
  expect(await versions()).toEqual([]);
});

test("builds the CLI in one of two processes while the other process waits", async () => {
  const go = await fakeGo({ build: `echo build >>"${root}/builds"; cp "${made}"/* "$out"` });
  const both = await Promise.all([shell([go]), shell([go])]);
  for (const { code, output } of both) expect([code, output.trim()]).toEqual([0, homeBin()]);
  const builds = await readFile(join(root, "builds"), "utf8");
  expect(builds).toBe("build\nbuild\n"); // Each of the two modules is built once.
});

test("builds the CLI only once for two calls in one process", async () => {
  const go = await fakeGo();
  const both = await Promise.all([ensure([go]), ensure([go])]);
  expect(both.map(({ how }) => how).sort()).toEqual(["built", "home"]);
});

test("prints three lines of advice if every installation method fails", async () => {
  const failure = await ensure([]).catch((error: Error) => error);
  const lines = (failure as Error).message.split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain(`${MINIMUM.cli} or newer, with pulumi-language-nodejs`);
  expect(lines[1]).toContain(nowhere);
  expect(lines[2]).toMatch(/go 1\.\d+\.\d+ or newer/);
  expect(said.join("\n")).toContain("go is not on PATH");
});

test("reports that Go is too old, and which version is needed", async () => {
  const go = await fakeGo({ version: "go1.20.3" });
  await expect(ensure([go])).rejects.toThrow("No Pulumi CLI");
  expect(said.join("\n")).toMatch(/go1\.20\.3 is too old; go 1\.\d+\.\d+ or newer is needed/);
});

test("shows the last lines of Go's output when a build fails", async () => {
  const go = await fakeGo({ build: "echo no space left on device >&2; exit 1" });
  await expect(ensure([go])).rejects.toThrow("No Pulumi CLI");
  expect(said.join("\n")).toContain("no space left on device");
});

test.each([
  ["on timeout", () => ({ timeout: 200 }), "ended with SIGTERM"],
  ["when it is stopped", () => ({ signal: AbortSignal.timeout(200) }), "timeout"],
])("stops a program %s, even if a child process keeps the program's pipes open", async (_when, options, message) => {
  const before = performance.now();
  await expect(run("/bin/sh", ["-c", "sleep 20 & wait"], options())).rejects.toThrow(message);
  expect(performance.now() - before).toBeLessThan(5_000);
});

test("reports the progress and details of a long task every 15 s", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const finish = new AbortController();
  const phase = progressLines((line) => said.push(line)).during("compiling", async (tell) => {
    tell("7 packages");
    await once(finish.signal, "abort");
  });
  vi.advanceTimersByTime(65_000);
  finish.abort();
  await phase;
  expect(said).toEqual([
    "compiling ...",
    "compiling: 7 packages, 15 s",
    "compiling: 7 packages, 30 s",
    "compiling: 7 packages, 45 s",
    "compiling: 7 packages, 1 min 0 s",
    "compiling: done in 1 min 5 s",
  ]);
});

test("builds the CLI version that the npm package `pulumi` installs", async () => {
  const pins = await readFile(join(project, "tools/pulumi-cli/go.mod"), "utf8");
  for (const module of ["pkg", "sdk"]) expect(pins).toContain(`github.com/pulumi/pulumi/${module}/v3 v${PINNED.cli}`);
});

/** Calls `ensurePulumiCli` with a PATH that contains only the given folders and links to tar, gzip, cp and sleep. */
function ensure(path: string[], options: EnsureOptions = {}): Promise<PulumiCli> {
  return ensurePulumiCli({ say: (line) => said.push(line), env: environment(path), archive: nowhere, ...options });
}

/** Runs tools/pulumi-cli/main.ts in its own process, which cannot reach the official archive. */
async function shell(path: string[]): Promise<{ code: number | null; signal: string | null; output: string }> {
  const env = { ...environment(path), HTTPS_PROXY: nowhere };
  const main = join(project, "tools/pulumi-cli/main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { code, signal, output };
}

function environment(path: string[]): NodeJS.ProcessEnv {
  return { PATH: [...path, join(root, "commands")].join(delimiter), PULUMI_HOME: join(root, "home") };
}

function homeBin(): string {
  return join(root, "home", "versions", PINNED.cli, "bin");
}

async function programs(): Promise<string[]> {
  return (await readdir(homeBin())).sort();
}

async function versions(): Promise<string[]> {
  return (await readdir(join(root, "home", "versions"))).filter((name) => !name.startsWith("."));
}

async function unfinished(): Promise<string[]> {
  return (await readdir(join(root, "home", "versions"))).filter((name) => name.includes("unfinished"));
}

async function program(folder: string, name: string, script: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
  return folder;
}

async function cli(folder: string, version: string, script = ""): Promise<string> {
  await program(folder, "pulumi-language-nodejs", "");
  return program(folder, "pulumi", `${script}\necho v${version}`);
}

/** Creates a fake `go` whose build runs the script `build`. In this script, $out is the output folder. */
async function fakeGo({ version = "go1.99.0", build = `cp "${made}"/* "$out"` } = {}): Promise<string> {
  return program(
    await mkdtemp(join(root, "go-")),
    "go",
    `case "$1" in
       env) echo ${version} ;;
       list) echo a/package ;;
       build) while [ "$1" != -o ]; do shift; done; out=$2; ${build} ;;
     esac`,
  );
}

async function archived(): Promise<Buffer> {
  const file = join(root, "archive.tar.gz");
  await run("tar", ["-czf", file, "-C", join(root, "made"), "pulumi"]);
  return readFile(file);
}

type Behaviour = "whole" | "stalls" | "silent" | "breaks off" | "missing";

async function serve(content: Buffer, behaviour: Behaviour): Promise<string> {
  const half = content.subarray(0, content.length / 2);
  const answers: Record<Behaviour, RequestListener> = {
    whole: (_request, response) => response.end(content),
    stalls: (_request, response) => response.writeHead(200, { "content-length": content.length }).write(half),
    silent: () => {},
    "breaks off": (_request, response) => {
      response.writeHead(200, { "content-length": content.length });
      response.write(half, () => response.destroy());
    },
    missing: (_request, response) => response.writeHead(404).end(),
  };
  return `${await listen(createServer(answers[behaviour]))}/pulumi.tar.gz`;
}

/** Makes later HTTPS requests use a proxy that never responds. */
async function silentProxy(asked: () => void): Promise<void> {
  const proxy = createServer().on("connect", (_request, socket) => {
    socket.on("error", () => {}).on("end", () => socket.end());
    asked();
  });
  const address = await listen(proxy);
  for (const [name, value] of Object.entries({ HTTPS_PROXY: address, NO_PROXY: "" })) {
    vi.stubEnv(name, value);
    vi.stubEnv(name.toLowerCase(), value);
  }
}

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function onPath(command: string): Promise<string> {
  return (await run("/bin/sh", ["-c", `command -v ${command}`])).trim();
}
