// @module-tag clear-messages

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { transform } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { engines } from "../../package.json";
import { root } from "../../tools/run";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-node-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Path of a module that makes Node.js report an older version. Load the module with `--require`. */
const posing = join(folder, "posing.js");
writeFileSync(posing, 'Object.defineProperty(process.versions, "node", { value: "22.18.1" });');

/** Path of the first Node.js on PATH that is too old for the package, or `undefined`. */
const tooOld = (process.env.PATH ?? "")
  .split(delimiter)
  .map((place) => join(place, "node"))
  .find((path) => existsSync(path) && /^v(\d|1\d|20)\./.test(String(execFileSync(path, ["--version"]))));

const nodes: [string, string[]][] = [
  ["22.18.1", [process.execPath, "--require", posing]],
  ...(tooOld
    ? [[String(execFileSync(tooOld, ["-p", "process.versions.node"])).trim(), [tooOld]] as [string, string[]]]
    : []),
];

const needed = engines.node.replace(">=", "");
const COMMANDS = [
  ["pulumi-resource-dbplatform", "pulumi-resource-dbplatform"],
  ["dbplatform", "dist/dbplatform.js"],
  ["emulator-for-turso", "dist/platform/dist/cli.js"],
] as const;
const LIBRARIES = ["dist/dynamic-host.js", "dist/sdk/dynamic.js", "dist/reference.js", "dist/platform/dist/index.js"];
const CHECKS = ["dist/sdk/needed-node.js", "dist/platform/dist/needed-node.js"];

function run([node = "", ...options]: readonly string[], ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(node, [...options, ...args], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe.each(nodes)("on Node.js %s", (version, node) => {
  test.each(COMMANDS)("%s says in one sentence which version of Node.js it needs", (name, command) => {
    const { status, stdout, stderr } = run(node, command, "--help");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `${name} needs Node.js ${needed} or newer; this is Node.js ${version} (${node[0]}). Install a newer one, or put it first on PATH.\n`,
    );
  });

  test("`serve --background` makes `eval` fail", () => {
    const { stdout } = run(node, "dist/dbplatform.js", "api", "serve", "--background");
    expect(stdout).toBe("false\n");
  });

  test.each(LIBRARIES)("%s throws a one-sentence error without a stack trace", (library) => {
    const script = `try { require("./${library}") } catch (thrown) { console.log(thrown.stack) }`;
    const { stdout } = run(node, "-e", script);
    expect(stdout).toContain(` needs Node.js ${needed} or newer; this is Node.js ${version} `);
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });
});

test.each([
  ...COMMANDS.map(([, file]) => file),
  ...LIBRARIES.filter((file) => !file.startsWith("dist/sdk/")),
  ...CHECKS,
])("Node.js 6 and newer can parse %s", async (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const as = (target: string) => transform(text, { target, format: "cjs" }).then(({ code }) => code);
  expect(await as("es2015")).toBe(await as("esnext"));
});

test("loads every library without a warning on the Node.js version that runs the tests", () => {
  for (const library of LIBRARIES) expect(run([process.execPath], "-e", `require("./${library}")`).stderr).toBe("");
});
