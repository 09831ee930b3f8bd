import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "./run";

interface Sdk {
  /** Path of the copy of the repository from which the release is made. */
  readonly checkout: string;
  /** Path of a folder that is empty or does not exist yet. */
  readonly folder: string;
  readonly run: Run;
}

/** Generates the Python SDK, installs the SDK into a new virtual environment and imports it. */
export async function provePython(sdk: Sdk): Promise<void> {
  await generate("python", sdk);
  const { run, folder, checkout } = sdk;
  await run("python3", ["-m", "venv", join(folder, "venv")], folder);
  const python = join(folder, "venv", "bin", "python");
  await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "."], folder);
  const { resources, version } = JSON.parse(readFileSync(join(checkout, "schema.json"), "utf8"));
  const types = Object.keys(resources).map((token) => token.split(":").at(-1));
  const program = [
    "import importlib.metadata, pulumi_dbplatform as sdk",
    `for name in ${JSON.stringify(types)}: assert getattr(sdk, name).__init__, name`,
    `assert importlib.metadata.version("pulumi_dbplatform") == "${version}"`,
    `print("imported", ${JSON.stringify(types.join(", "))})`,
  ];
  // The command runs outside of the repository, so that Python imports the installed package and not the local folder.
  await run(python, ["-c", program.join("\n")], join(folder, "venv"));
}

/** Generates the Go SDK and compiles it with the Go modules that the repository pins. */
export async function proveGo(sdk: Sdk): Promise<void> {
  await generate("go", sdk);
  const { run, folder, checkout } = sdk;
  for (const file of ["go.mod", "go.sum"]) cpSync(join(checkout, "tools/pulumi-cli", file), join(folder, file));
  const [, path] =
    /"([^"]+)\/dbplatform\/internal"/.exec(readFileSync(join(folder, "dbplatform/init.go"), "utf8")) ?? [];
  await run("go", ["mod", "edit", "-module", path ?? ""], folder);
  await run("go", ["vet", "-mod=mod", "./..."], folder);
}

const generate = (language: string, { run, folder, checkout }: Sdk) =>
  run("go", ["run", "./gensdk", language, join(checkout, "schema.json"), folder], join(checkout, "tools/pulumi-cli"));
