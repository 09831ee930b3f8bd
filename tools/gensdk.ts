import { execFileSync } from "node:child_process";
import { join } from "node:path";

/**
 * Runs Pulumi's code generators, which are written in Go, and returns their output.
 *
 * @param args A language, a schema and a folder, to generate an SDK; or `examples` and a schema, to convert YAML programs.
 * @param input Standard input.
 * @throws Error if Go is not installed or the generator fails.
 */
export const gensdk = (args: readonly string[], input = ""): string =>
  execFileSync("go", ["run", "./gensdk", ...args], {
    cwd: join(__dirname, "pulumi-cli"),
    input,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" },
  }).toString();
