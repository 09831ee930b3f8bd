import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run";

/** Gives a project folder the modules of this repository, with the provider itself among them, as if installed. */
export function linkModules(project: string): void {
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(root, join(modules, "pulumi-dbplatform"));
  for (const name of ["@pulumi", "@types", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
}

/** Copies an example as it stands, ready to run. */
export function installExample(name: string, project: string): void {
  cpSync(join(root, "examples", name), project, { recursive: true });
  linkModules(project);
}
