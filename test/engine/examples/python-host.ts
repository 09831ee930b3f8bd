import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/run";
import { Pulumi } from "../cli";

const HOST = "pulumi-language-python";

/**
 * Returns the folder of Pulumi's language host for Python. If the CLI's folder does not contain the host, builds it
 * into `folder` from the Go module that also contains the host for Node.js. The built host predates the project option
 * `virtualenv`, so it always uses the Python on PATH.
 */
export function pythonHost(folder: string): string {
  if (existsSync(join(Pulumi.bin, HOST))) return Pulumi.bin;
  const command = "github.com/pulumi/pulumi/sdk/v3/python/cmd";
  const cwd = join(root, "tools/pulumi-cli/nodejs-host");
  const env = { ...process.env, CGO_ENABLED: "0" };
  const go = (...args: string[]) => execFileSync("go", args, { cwd, env, stdio: "pipe" }).toString().trim();
  go("build", "-mod=readonly", "-o", join(folder, HOST), `${command}/${HOST}`);
  const sources = go("list", "-mod=readonly", "-f", "{{.Dir}}", `${command}/${HOST}`);
  copyFileSync(join(sources, "..", `${HOST}-exec`), join(folder, `${HOST}-exec`));
  return folder;
}
