import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bin } from "../../package.json";
import { overview } from "../../provider/command/main";
import { root } from "../../tools/run";

const COMMAND = join(root, "dist/dbplatform.js");

const PARTS = overview.commands.map((part) => part.name());

/** The number of lines that fit on a screen. */
const SCREEN = 45;

const printed = async (...args: string[]) => (await promisify(execFile)(process.execPath, [COMMAND, ...args])).stdout;

test("the package has one command, so that `npx pulumi-dbplatform` runs it", () => {
  expect(bin).toEqual({ dbplatform: "dist/dbplatform.js" });
});

test.each([[], ...PARTS.map((part) => [part]), ["api", "serve"], ["api", "token"]])(
  "the help of `dbplatform` fits on a screen and has two examples: %s",
  async (...part) => {
    const help = await printed(...part, "--help");
    expect(help.trimEnd().split("\n").length).toBeLessThanOrEqual(SCREEN);
    const [, examples = ""] = help.split("Examples:\n");
    expect(examples.split("\n\n")[0]?.match(/^ {2}\$ .*dbplatform/gm)).toHaveLength(2);
    expect(help).toMatch(new RegExp(`^Usage: ${["dbplatform", ...part].join(" ")} `));
  },
);

test("`dbplatform help` lists the parts, and with a part prints its help", async () => {
  for (const part of PARTS) {
    expect(await printed("help")).toContain(`\n  ${part} `);
    expect(await printed("help", part)).toBe(await printed(part, "--help"));
  }
});

test("names an unknown part, and has no aliases", () => {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, "dbplatform-adopt"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 1, stderr: "error: unknown command 'dbplatform-adopt'\n" });
});

/** Prints the names of the files in `dist` that a command has loaded. */
const LOADED = `
process.on("exit", () => process.stderr.write(Object.keys(require.cache).map((path) => path.split(/[\\\\/]/).pop()).join(" ")));`;

test.each(PARTS)("`dbplatform %s` loads no other part", (part) => {
  const hook = `--import=data:text/javascript,${encodeURIComponent(`import { createRequire } from "node:module"; const require = createRequire("/"); ${LOADED}`)}`;
  const { stderr } = spawnSync(process.execPath, [hook, COMMAND, part, "--help"], { encoding: "utf8" });
  const files = stderr.split(" ");
  expect(files).toContain("dbplatform.js");
  expect(files.filter((file) => /-main\.js$/.test(file))).toHaveLength(1);
  expect(files.filter((file) => file.startsWith("provider-command-"))).toHaveLength(part === "api" ? 0 : 1);
  const other = part === "api" ? /^provider-/ : /^reference-/;
  expect(files.filter((file) => other.test(file))).toEqual([]);
});
