import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fenced } from "../../kit/docs";
import type { RunProgram } from "./run";

interface Sdk {
  /** Path of the copy of the repository from which the release is built. */
  readonly checkout: string;
  /** Path of the folder for the generated SDK. The folder must not exist yet. */
  readonly folder: string;
  readonly run: RunProgram;
}

/**
 * Builds the Python SDK's wheel, installs it into a new virtual environment and imports it.
 *
 * @returns Path of the wheel.
 */
export async function makePythonSdk(sdk: Sdk): Promise<string> {
  await generate("python", sdk);
  const { run, folder, checkout } = sdk;
  await run("python3", ["-m", "venv", join(folder, "venv")], folder);
  const python = join(folder, "venv", "bin", "python");
  const pip = (...args: string[]) =>
    run(python, ["-m", "pip", "--quiet", "--disable-pip-version-check", ...args], folder);
  const schema = JSON.parse(readFileSync(join(checkout, "schema.json"), "utf8"));
  const { programs } = JSON.parse(readFileSync(join(checkout, "provider/examples.json"), "utf8"));
  // Replaces the generator's README, which contains only the description and is not where the project file expects it.
  writeFileSync(join(folder, "README.md"), wheelReadme(schema, programs._index.python));
  const wheels = join(folder, "venv", "wheels");
  await pip("wheel", "--no-deps", "--wheel-dir", wheels, ".");
  const wheel = join(wheels, readdirSync(wheels)[0] ?? "");
  await pip("install", wheel);
  const { resources, version, description, language } = schema;
  const types = Object.keys(resources).map((token) => token.split(":").at(-1));
  const program = [
    "import importlib.metadata, pulumi_dbplatform as sdk",
    `for name in ${JSON.stringify(types)}: assert getattr(sdk, name).__init__, name`,
    `about = importlib.metadata.metadata("pulumi_dbplatform")`,
    `assert (about["Version"], about["Summary"]) == ("${version}", ${JSON.stringify(description)})`,
    `assert "\`\`\`python" in about.get_payload()`,
    `needed = [each for each in importlib.metadata.requires("pulumi_dbplatform") if each.startswith("pulumi")]`,
    `assert sorted(needed[0].removeprefix("pulumi").split(",")) == sorted("${language.python.requires.pulumi}".split(","))`,
    `print("imported", ${JSON.stringify(types.join(", "))})`,
  ];
  // Runs in another folder, so that Python imports the installed package and not the one in the current folder.
  await run(python, ["-c", program.join("\n")], join(folder, "venv"));
  return wheel;
}

interface Described {
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly repository?: string;
}

/** Returns the page that PyPI shows of the wheel. It links to the repository if the schema names one. */
export function wheelReadme({ displayName, description, version, repository }: Described, program: string): string {
  const rest = repository ? [`[Documentation and source](${repository}/blob/v${version}/README.md)`] : [];
  return `${[`# ${displayName}`, description, "    pip install pulumi_dbplatform", fenced("python", program), ...rest].join("\n\n")}\n`;
}

/**
 * Creates the SDK's Go module in `folder`, for the versions of Go and Pulumi that the repository pins, and compiles it.
 *
 * @returns The module's import path.
 */
export async function makeGoSdk(sdk: Sdk): Promise<string> {
  await generate("go", sdk);
  const { run, folder, checkout } = sdk;
  const [, path = ""] =
    /"([^"]+)\/dbplatform\/internal"/.exec(readFileSync(join(folder, "dbplatform/init.go"), "utf8")) ?? [];
  const pinned = readFileSync(join(checkout, "tools/pulumi-cli/go.mod"), "utf8");
  const [, go = ""] = /^go (\S+)$/m.exec(pinned) ?? [];
  const [, pulumi = ""] = /github\.com\/pulumi\/pulumi\/sdk\/v3 (v\S+)/.exec(pinned) ?? [];
  copyFileSync(join(checkout, "LICENSE"), join(folder, "LICENSE"));
  await run("go", ["mod", "init", path], folder);
  await run("go", ["mod", "edit", `-go=${go}`, `-require=github.com/pulumi/pulumi/sdk/v3@${pulumi}`], folder);
  await run("go", ["mod", "tidy"], folder);
  await run("go", ["vet", "./..."], folder);
  return path;
}

const generate = (language: string, { run, folder, checkout }: Sdk) =>
  run("go", ["run", "./gensdk", language, join(checkout, "schema.json"), folder], join(checkout, "tools/pulumi-cli"));
