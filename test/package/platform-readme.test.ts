import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { packPlatform } from "../../tools/release/package";
import { root } from "../../tools/run";
import { blocksOf } from "../docs/blocks";

const PAGE = "platform/README.md";
const blocks = blocksOf(PAGE);
const project = mkdtempSync(join(tmpdir(), "platform-readme-"));

const inProject = (program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): string =>
  execFileSync(program, args, { cwd: project, env: { ...process.env, ...environment }, stdio: "pipe" }).toString();

/** Installs the package, and puts beside it what else the page imports. */
beforeAll(() => {
  writeFileSync(join(project, "package.json"), '{"name": "user", "private": true, "type": "module"}');
  const packed = packPlatform(root, project);
  inProject("npm", ["install", "--offline", "--no-audit", "--no-fund", packed]);
  for (const scope of ["@libsql", "@tursodatabase", "@types"])
    mkdirSync(join(project, "node_modules", scope), { recursive: true });
  for (const name of ["vitest", "@libsql/client", "@tursodatabase/api", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  for (const { language, text } of blocks) if (language === "typescript") writeFileSync(fileOf(text), text);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const fileOf = (text: string): string => join(project, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? "");

test("every block of the page is a named file or a command", () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(["typescript", "sh", "text"]));
  expect(
    blocks.filter(({ language, text }) => language === "typescript" && !/^\/\/ \w+(\.test)?\.ts\n/.test(text)),
  ).toEqual([]);
});

test("the tests of the page pass, before and after the fake is replaced", () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const printed = inProject(process.execPath, [vitest, "run"], { NO_COLOR: "1" });
  expect(printed).toMatch(/Test Files +3 passed/);
  expect(printed).toMatch(/Tests +7 passed/);
});

test("the files of the page compile", { tags: "more" }, () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--types", "node", "--module", "nodenext"];
  const files = blocks.flatMap(({ language, text }) => (language === "typescript" ? [fileOf(text)] : []));
  expect(inProject(process.execPath, [tsc, ...options, ...files])).toBe("");
});

test("the commands of the page succeed in one shell", () => {
  const [install, ...commands] = blocks.flatMap(({ language, text }) => (language === "sh" ? [text] : []));
  expect(install).toMatch(/^npm install --save-dev (\.\/emulator-for-turso-\S+\.tgz|emulator-for-turso)\n$/);
  const places = { TMPDIR: project, XDG_DATA_HOME: join(project, "data"), npm_config_offline: "true" };
  const script = commands.join("").replaceAll("curl -sS", "curl -sS --fail");
  expect(inProject("sh", ["-ec", script], places)).toContain("Stopped the server at ");
});

test("the commands for a container name files of the package", () => {
  const [text = ""] = blocks.flatMap((block) => (block.language === "text" ? [block.text] : []));
  const paths = text.match(/node_modules\/\S+/g) ?? [];
  expect(paths).toHaveLength(2);
  for (const path of paths) expect(existsSync(join(project, path))).toBe(true);
});

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;

test("every call and every rule in the table is one", async () => {
  const rows = [...readFileSync(join(root, PAGE), "utf8").matchAll(/^\| (?!---).* \| (.*) \|$/gm)].map(
    ([, here = ""]) => here,
  );
  const codes = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));
  const calls = codes.filter((code) => /^(await )?turso\./.test(code));
  const fields = codes.filter((code) => /^(?!operation)\w+: /.test(code));
  expect([calls.length, fields.length]).toEqual([10, 10]);
  const turso: ReferenceApi = await startReferenceApi({ now: "2026-03-01T12:00:00Z" });
  try {
    for (const call of calls) await new AsyncFunction("turso", call)(turso);
    turso.clearFaults();
    for (const field of fields)
      await new AsyncFunction("turso", `turso.fault({ operation: "listDatabases", ${field} })`)(turso);
    expect(turso.faults()).toHaveLength(fields.length);
  } finally {
    await turso.close();
  }
});
