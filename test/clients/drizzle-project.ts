import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll } from "vitest";

const run = promisify(execFile);

interface NpmProject {
  readonly folder: string;
  /** Why npm could not install the packages; empty if it has. */
  readonly missing: string;
}

/** Installs packages in a new folder for all tests in a file, as their users do. */
export function npmProject(packages: Readonly<Record<string, string>>): () => NpmProject {
  let folder = "";
  let missing = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dbplatform-npm-"));
    await writeFile(join(folder, "package.json"), '{"name": "user", "private": true}');
    const versions = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    const options = ["--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...options, ...versions], { cwd: folder }).catch((failure) => {
      missing = `npm could not install ${versions.join(", ")}: ${failure}`;
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => ({ folder, missing });
}

/**
 * Runs drizzle-kit of a project in a folder.
 *
 * @throws Error if drizzle-kit reports one, because its exit code does not show each of them.
 */
export async function drizzleKit({ folder }: NpmProject, cwd: string, args: readonly string[]): Promise<void> {
  const running = run(join(folder, "node_modules/.bin/drizzle-kit"), args, { cwd });
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  const printed = stripVTControlCharacters(stdout + stderr);
  if (/error/i.test(printed)) throw new Error(printed);
}
