import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bin } from "../package.json";
import { root } from "./run";

/** Links the modules of this repository and the provider package into a project, as if they were installed there. */
export function linkModules(project: string): void {
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(root, join(modules, "pulumi-dbplatform"));
  for (const name of ["@hono", "@libsql", "@pulumi", "@types", "hono", "typescript", "vitest"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  mkdirSync(join(modules, ".bin"));
  for (const [command, path] of Object.entries(bin)) symlinkSync(join(root, path), join(modules, ".bin", command));
}

/** Copies an example into a project folder and links the modules that it needs to run. */
export function installExample(name: string, project: string): void {
  cpSync(join(root, "examples", name), project, { recursive: true });
  linkModules(project);
}
