import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { bin, pulumi } from "../package.json";
import { root } from "./run";

/** Links the modules of this repository and the provider package into a project, as if they were installed there. */
export function linkModules(project: string): void {
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(root, join(modules, "pulumi-dbplatform"));
  for (const name of ["@hono", "@libsql", "@pulumi", "@tursodatabase", "@types", "hono", "typescript", "vitest"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  mkdirSync(join(modules, ".bin"));
  for (const [command, path] of Object.entries(bin)) symlinkSync(join(root, path), join(modules, ".bin", command));
}

/** Copies an example into a project folder and links the modules that it needs to run. */
export function installExample(name: string, project: string): void {
  cpSync(join(root, "examples", name), project, { recursive: true });
  for (const file of globSync("**/Pulumi.yaml", { cwd: project }).map((path) => join(project, path)))
    writeFileSync(file, withPlugin(readFileSync(file, "utf8"), relative(dirname(file), project)));
  linkModules(project);
}

/**
 * Returns a project file that names the plugin of this repository. The project files of a release name none, because
 * released SDKs say where to download the plugin.
 *
 * @param folder Path of the folder with `node_modules`, relative to the project file.
 */
export function withPlugin(projectFile: string, folder = ""): string {
  if (!pulumi.resource || /^plugins:/m.test(projectFile)) return projectFile;
  const path = join(folder, "node_modules/pulumi-dbplatform");
  return `${projectFile.trimEnd()}\nplugins:\n  providers:\n    - name: dbplatform\n      path: ${path}\n`;
}
