import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { HttpConnection } from "../../provider/client/http/client";
import { gensdk } from "../../tools/gensdk";
import { buildHosts } from "../../tools/pulumi-cli/hosts";
import { packPackage } from "../../tools/release/package";
import { unreleasedText } from "../../tools/release/pages";
import { root } from "../../tools/run";
import { SCHEMA_FILE } from "../../tools/schema";
import { blocksOf, commandsIn } from "../docs/blocks";
import { Pulumi } from "../engine/cli";
import { Shell } from "../engine/docs/shell";

const folder = mkdtempSync(join(tmpdir(), "dbplatform-without-release-"));
const hosts = join(folder, "hosts");
let packed: string;

beforeAll(() => {
  packed = packPackage(root, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns whether Pulumi finds its own language host, which can generate SDKs. */
const hasHost = (language: string): boolean =>
  [Pulumi.bin, ...(process.env.PATH ?? "").split(delimiter)].some((bin) =>
    existsSync(join(bin, `pulumi-language-${language}`)),
  );

/**
 * Returns this process's environment with an empty home folder, but with the settings and caches of npm and Go, which
 * would otherwise find no registry and compile Pulumi's SDK again.
 */
function environmentIn(home: string, virtualEnvironment: string): Record<string, string> {
  const settings = ["GOENV", "GOCACHE", "GOMODCACHE"];
  const values = execFileSync("go", ["env", ...settings])
    .toString()
    .split("\n");
  return {
    ...(process.env as Record<string, string>),
    ...Object.fromEntries(settings.map((name, at) => [name, values[at] ?? ""])),
    NPM_CONFIG_USERCONFIG: join(homedir(), ".npmrc"),
    HOME: home,
    TMPDIR: home,
    PULUMI_HOME: join(home, ".pulumi"),
    // `pulumi login --local` finds the home folder of the user without `HOME`.
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // The virtual environment is first for language hosts that do not know the option `virtualenv`.
    PATH: [virtualEnvironment, Pulumi.bin, process.env.PATH, hosts].join(delimiter),
  };
}

/** Returns the files that a page shows, by name. The name stands in the line above the file. */
function filesOn(page: string): Readonly<Record<string, string>> {
  const source = unreleasedText(readFileSync(join(root, page), "utf8"));
  const shown = source.matchAll(/^`([\w.]+)`[^\n]*:\n\n```\w+\n(.*?)^```$/gms);
  return Object.fromEntries(Array.from(shown, ([, name = "", text = ""]) => [name, text]));
}

/** Returns the path of a Go module without a domain, which the schema of a checkout contains. */
const goModule = (): string =>
  JSON.parse(readFileSync(SCHEMA_FILE, "utf8")).language.go.importBasePath.replace(/\/dbplatform$/, "");

/** Does what `pulumi package add` does, with Pulumi's generators, for language hosts that lack them. */
const ADD_PACKAGE: Readonly<Record<string, (project: string) => string>> = {
  python(project) {
    gensdk(["python", SCHEMA_FILE, join(project, "sdks/dbplatform")]);
    appendFileSync(join(project, "requirements.txt"), "./sdks/dbplatform\n");
    return "python3 -m venv venv && venv/bin/pip install --quiet --requirement requirements.txt";
  },
  go(project) {
    gensdk(["go", SCHEMA_FILE, join(project, "sdks/dbplatform")]);
    const replaced = `go mod edit -replace ${goModule()}=./sdks/dbplatform`;
    return `(cd sdks/dbplatform && go mod init ${goModule()} && go mod tidy) && ${replaced} && go mod tidy`;
  },
};

const isReleased = !readFileSync(join(root, "docs/python.md"), "utf8").includes(".tgz");

// The pages of a release install what is not published yet when the release is tested.
test.skipIf(isReleased).each([
  ["docs/python.md", "python"],
  ["docs/go.md", "go"],
] as const)(
  "the files and commands of %s lead from an empty folder to a database",
  { tags: "more" },
  async (page, language) => {
    const [home, project] = [join(folder, language, "home"), join(folder, language, "project")];
    for (const path of [home, project]) mkdirSync(path, { recursive: true });
    const own = hasHost(language);
    if (!own && !existsSync(hosts)) {
      mkdirSync(hosts);
      buildHosts(hosts);
    }
    const shell = new Shell(project, environmentIn(home, join(project, "venv/bin")));
    const run = async (command: string) => {
      const { code, output } = await shell.run(command);
      expect(code, `${command}\n${output}`).toBe(0);
      return output.trim();
    };
    onTestFinished(async () => {
      await shell.run("npx pulumi-dbplatform api stop");
      shell.end();
    });
    await run(`cp '${packed}' .`);
    for (const [name, text] of Object.entries(filesOn(page))) writeFileSync(join(project, name), text);

    const commands = commandsIn(blocksOf(page)).map(({ command }) => command);
    expect(commands).toContain("pulumi up");
    for (const command of commands) {
      if (command.endsWith("api stop")) {
        const [baseUrl, apiToken, organizationSlug] = (
          await run('echo "$DBPLATFORM_BASE_URL $DBPLATFORM_API_TOKEN $DBPLATFORM_ORGANIZATION"')
        ).split(" ") as [string, string, string];
        const client = new HttpConnection({ baseUrl, apiToken, userAgent: "tests" }).client({
          signal: new AbortController().signal,
        });
        const { databases } = await client.listDatabases({ organizationSlug });
        expect(databases.map(({ DbId }) => DbId)).toEqual([await run("pulumi stack output dbId")]);
      }
      const substituted = !own && command.startsWith("pulumi package add");
      await run(substituted ? (ADD_PACKAGE[language]?.(project) ?? "") : command);
    }
  },
);
