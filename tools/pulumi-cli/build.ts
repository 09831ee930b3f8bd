import { mkdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { coerce, lt } from "semver";
import { PINNED } from "../versions";
import type { Progress } from "./progress";
import type { StagingFolders } from "./publish";
import { run } from "./run";

export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  readonly progress: Progress;
}

interface GoModule {
  readonly folder: string;
  readonly builds: string;
  readonly packages: readonly string[];
  readonly flags: readonly string[];
}

export const CLI_PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";

/** Returns the `go build` flags for a CLI of the given version. */
export const cliFlags = (version: string): readonly string[] => [
  "-tags=osusergo,grpcnotrace",
  // Sets the version, because the Automation API and the plugins' version ranges require one.
  `-ldflags=-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`,
];

const modules: readonly GoModule[] = [
  {
    folder: __dirname,
    builds: "pulumi and pulumi-language-yaml",
    packages: [CLI_PACKAGE, "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"],
    flags: cliFlags(PINNED.cli),
  },
  {
    folder: join(__dirname, "nodejs-host"),
    builds: "pulumi-language-nodejs",
    packages: ["github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"],
    flags: ["-ldflags=-s -w"],
  },
];

export const buildTakes = "4 to 6 minutes on 2 cores the first time, and 1.6 GB of modules under GOPATH";

/** Builds the Pulumi CLI and its language hosts from the Go modules that go.mod and go.sum pin. */
export async function buildCli({ scratch, whole }: StagingFolders, options: BuildOptions): Promise<void> {
  const { progress } = options;
  const go = await installedGo(options);
  progress.say(`building the Pulumi CLI ${PINNED.cli} with ${go}: ${buildTakes}`);
  const bin = join(whole, "bin");
  await mkdir(bin);
  const env = {
    ...options.env,
    CGO_ENABLED: "0",
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    // Puts Go's temporary files into the scratch folder, so that they are removed even if Go is killed.
    GOTMPDIR: scratch,
  };
  for (const module of modules) await buildModule(module, bin, { ...options, env });
}

/** Returns the oldest version of Go that go.mod allows. */
export async function requiredGo(): Promise<string> {
  const text = await readFile(join(__dirname, "go.mod"), "utf8");
  const version = /^go (\S+)$/m.exec(text)?.[1];
  if (version === undefined) throw new Error("go.mod has no go line");
  return version;
}

async function installedGo({ env, signal }: BuildOptions): Promise<string> {
  const required = await requiredGo();
  // Runs outside the Go module, because inside the module an outdated Go would fail without printing its version.
  const where = { cwd: sep, env: { ...env, GOTOOLCHAIN: "local" }, signal };
  const version = await run("go", ["env", "GOVERSION"], where).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === "ENOENT") throw new Error(`go is not on PATH; ${required} or newer is needed`);
    throw failure;
  });
  const installed = coerce(version);
  if (!installed || lt(installed, required)) {
    throw new Error(`${version.trim()} is too old; go ${required} or newer is needed`);
  }
  return version.trim();
}

async function buildModule(
  { folder, builds, packages, flags }: GoModule,
  bin: string,
  { env, signal, progress }: BuildOptions,
): Promise<void> {
  const go = (args: readonly string[], line: (line: string) => void) =>
    run("go", args, { cwd: folder, env, signal, line });
  const total = await progress.during(`fetching the modules of ${builds}`, async (tell) => {
    let fetched = 0;
    const dependencies = await go(["list", "-mod=readonly", "-deps", ...flags.filter(isTags), ...packages], (line) => {
      if (line.startsWith("go: downloading")) tell(`${++fetched} fetched`);
    });
    return dependencies.trim().split("\n").length;
  });
  await progress.during(`compiling ${builds}`, (tell) => {
    let compiled = 0;
    const always = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-v"];
    return go(["build", ...always, ...flags, "-o", bin + sep, ...packages], () => {
      tell(`${++compiled} packages of at most ${total}`);
    });
  });
}

function isTags(flag: string): boolean {
  return flag.startsWith("-tags=");
}
