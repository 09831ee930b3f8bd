import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { linkModules } from "../../tools/project";

/** Returns the first lines of `Pulumi.yaml` for a YAML project that uses the installed provider package. */
export const yamlProjectFile = (name: string): string => `name: ${name}
runtime: yaml
plugins:
  providers:
    - name: dbplatform
      path: node_modules/pulumi-dbplatform
`;

/** Creates a YAML project with the provider package. The folder is removed when the test ends. */
export function yamlProject(name: string, program: string): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-yaml-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  linkModules(folder);
  writeFileSync(join(folder, "Pulumi.yaml"), yamlProjectFile(name) + program);
  return folder;
}
