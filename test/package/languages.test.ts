import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { version } from "../../package.json";
import { buildHosts } from "../../tools/pulumi-cli/hosts";
import { root } from "../../tools/run";
import { Pulumi } from "../engine/cli";
import { engineFixture } from "../engine/engine-fixture";
import { Stack } from "../engine/stack";
import { full } from "../full";
import { type DownloadServer, downloadServer, type ReleaseFiles, stampedRelease } from "./stamped-release";

/** The pages of a release name its repository already. */
const { homepage: REPOSITORY = "https://github.com/acme/pulumi-platform" } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const PLUGIN = `resource-dbplatform-v${version}`;

/** Returns the first block in `language` on a page of the release. */
function shown(
  { checkout }: Pick<ReleaseFiles, "checkout">,
  language: string,
  page = "docs/installation-configuration.md",
): string {
  const [, text] =
    new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(readFileSync(join(checkout, page), "utf8")) ?? [];
  if (text === undefined) throw new Error(`${page} shows no ${language}`);
  return text;
}

type Files = Readonly<Record<string, string>>;

const npmProject = (npmPackage: string, main: string, devDependencies = {}): string =>
  JSON.stringify({
    name: "downloaded",
    private: true,
    main,
    dependencies: { "@pulumi/pulumi": "^3", "pulumi-dbplatform": `file:${npmPackage}` },
    devDependencies,
  });

/**
 * The files of a project in each language, as the pages of the release show them. The SDKs are not published yet, so
 * they come from files. No file says where the plugin is.
 */
const PROJECTS: Record<string, (release: ReleaseFiles) => Files> = {
  TypeScript: (release) => ({
    "Pulumi.yaml": shown(release, "yaml", "README.md"),
    "package.json": npmProject(release.npmPackage, "index.ts", { typescript: "^6", "@types/node": "^24" }),
    "index.ts": shown(release, "typescript", "README.md"),
  }),
  JavaScript: (release) => ({
    "Pulumi.yaml": "name: downloaded\nruntime: nodejs\n",
    "package.json": npmProject(release.npmPackage, "index.js"),
    "index.js": shown(release, "javascript"),
  }),
  Python: (release) => ({
    "Pulumi.yaml": shown(release, "yaml", "docs/python.md"),
    "requirements.txt": shown(release, "text", "docs/python.md").replace("pulumi_dbplatform", release.wheel),
    "__main__.py": shown(release, "python", "docs/python.md"),
  }),
  Go: ({ goModule, goFolder, ...release }) => ({
    "Pulumi.yaml": shown(release, "yaml", "docs/go.md"),
    "go.mod": `${shown(release, "text", "docs/go.md")}\nreplace ${goModule} => ${goFolder}\n`,
    "main.go": shown(release, "go", "docs/go.md"),
  }),
  YAML: (release) => ({
    "Pulumi.yaml": `name: downloaded\nruntime: yaml\n${shown(release, "yaml")}`,
  }),
};

describe.runIf(full)("without a `plugins` section", () => {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-release-"));
  const hosts = join(folder, "hosts");
  let server: DownloadServer;
  let release: ReleaseFiles;

  beforeAll(async () => {
    mkdirSync(hosts);
    if (!readdirSync(Pulumi.bin).some((name) => name.startsWith("pulumi-language-python"))) buildHosts(hosts);
    server = await downloadServer();
    release = await stampedRelease(folder, REPOSITORY, server);
  }, 1_200_000);
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(Object.entries(PROJECTS))(
    "a %s project with a released SDK installs the plugin, and restores a deleted database",
    async (language, files) => {
      const here = await engineFixture();
      const program = join(folder, "projects", language);
      mkdirSync(program, { recursive: true });
      for (const [name, text] of Object.entries(files(release))) writeFileSync(join(program, name), text);
      const stack = await Stack.create({ environment: here.environment, program: { folder: program } });
      onTestFinished(() => stack.remove());
      // Keeps this process's environment and home folder, where package managers find their settings and caches.
      const environment = Object.assign({}, process.env, stack.environment, {
        HOME: homedir(),
        // The Python program runs in the virtual environment that is first on PATH.
        PATH: [join(program, "venv/bin"), hosts, stack.environment.PATH].join(delimiter),
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
      });
      stack.setEnvironment(environment);
      const pulumi = async (...args: string[]) => {
        const { code, output } = await stack.cli(...args);
        expect(code, output).toBe(0);
        return output;
      };

      if (language === "Python") {
        execFileSync("python3", ["-m", "venv", "venv"], { cwd: program });
        execFileSync(join(program, "venv/bin/pip"), ["install", "--quiet", "--requirement", "requirements.txt"], {
          cwd: program,
        });
      }
      if (language === "YAML") await pulumi("package", "add", release.schema);
      // Skips the Python dependencies, because Pulumi would install them into a separate virtual environment.
      await pulumi("install", ...(language === "Python" ? ["--no-dependencies"] : []));
      await pulumi("up", "--yes", "--skip-preview");
      expect(readdirSync(join(stack.environment.PULUMI_HOME ?? "", "plugins"))).toContain(PLUGIN);
      const databases = await here.databases();
      const ids = Object.values(databases);
      expect(ids).toHaveLength(1);

      await here.deleteDatabase(ids[0] ?? "");
      expect(await pulumi("preview")).toContain(" was deleted by ada");
      await pulumi("up", "--yes", "--skip-preview");
      expect(await here.databases()).toEqual(databases);

      await pulumi("destroy", "--yes", "--skip-preview");
      expect(await here.databases()).toEqual({});
    },
  );
});
