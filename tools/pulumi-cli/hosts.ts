import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";

/** The language hosts for Python and Go, which only the Python and Go tests need. */
const HOSTS = [
  { module: "nodejs-host", program: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python" },
  { module: "go-host", program: "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go" },
];

/** Builds the language hosts for Python and Go into a folder, from the Go modules that go.mod and go.sum pin. */
export function buildHosts(folder: string): void {
  for (const { module, program } of HOSTS) {
    const go = (...args: string[]) =>
      execFileSync("go", args, {
        cwd: join(__dirname, module),
        env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
        stdio: ["ignore", "pipe", "inherit"],
      });
    go("build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", `${folder}/`, program);
    if (program.endsWith("python")) {
      const source = go("list", "-f", "{{.Dir}}", program).toString().trim();
      // The host starts Python programs with this script, which must be in the same folder as the host.
      copyFileSync(`${source}-exec`, join(folder, "pulumi-language-python-exec"));
    }
  }
}
