import { execFileSync } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import type { Progress } from "./pulumi-cli/progress";
import { run } from "./pulumi-cli/run";

const environment = () => ({ ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" });

const FOLDER = join(__dirname, "pulumi-cli");

/** Compiles Pulumi's code generators into Go's cache, so that `gensdk` takes seconds, and shows what Go does. */
export const compileGensdk = (progress: Progress): Promise<unknown> =>
  progress.during(
    "Pulumi's code generators (the first time, Go downloads and compiles them, which takes minutes)",
    (tell) => run("go", ["build", "-v", "-o", devNull, "./gensdk"], { cwd: FOLDER, env: environment(), line: tell }),
  );

/**
 * Runs Pulumi's code generators, which are written in Go, and returns their output.
 *
 * @param args A language, a schema and a folder, to generate an SDK; or `examples` and a schema, to convert YAML programs.
 * @param input Standard input.
 * @throws Error if Go is not installed or the generator fails.
 */
export const gensdk = (args: readonly string[], input = ""): string =>
  execFileSync("go", ["run", "./gensdk", ...args], {
    cwd: FOLDER,
    input,
    stdio: ["pipe", "pipe", "inherit"],
    env: environment(),
  }).toString();
