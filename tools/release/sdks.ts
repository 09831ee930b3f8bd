import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "./run";

interface Sdk {
  /** Path of the copy of the repository from which the release is built. */
  readonly checkout: string;
  /** Path of the folder for the generated SDK. The folder must not exist yet. */
  readonly folder: string;
  readonly run: Run;
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
  // Copies the README, because the project file expects it in this folder but the generator writes it next to the code.
  copyFileSync(join(folder, "pulumi_dbplatform/README.md"), join(folder, "README.md"));
  const wheels = join(folder, "venv", "wheels");
  await pip("wheel", "--no-deps", "--wheel-dir", wheels, ".");
  const wheel = join(wheels, readdirSync(wheels)[0] ?? "");
  await pip("install", wheel);
  const { resources, version } = JSON.parse(readFileSync(join(checkout, "schema.json"), "utf8"));
  const types = Object.keys(resources).map((token) => token.split(":").at(-1));
  const program = [
    "import importlib.metadata, pulumi_dbplatform as sdk",
    `for name in ${JSON.stringify(types)}: assert getattr(sdk, name).__init__, name`,
    `assert importlib.metadata.version("pulumi_dbplatform") == "${version}"`,
    `print("imported", ${JSON.stringify(types.join(", "))})`,
  ];
  // Runs in another folder, so that Python imports the installed package and not the one in the current folder.
  await run(python, ["-c", program.join("\n")], join(folder, "venv"));
  return wheel;
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
