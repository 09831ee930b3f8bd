import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./run";

/** Creates empty folders for Pulumi's home, the state and the project. */
export function makeFolders(folder: string): void {
  for (const name of ["home", "state", "project"]) mkdirSync(join(folder, name));
}

/**
 * Returns environment variables that make Pulumi use only subfolders of `folder`, so that Pulumi reads and changes
 * nothing else on the machine.
 */
export const isolated = (folder: string): Record<string, string> => ({
  PULUMI_HOME: join(folder, "home"),
  PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
  PULUMI_CONFIG_PASSPHRASE: "isolated",
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
});

/**
 * Returns this process's PATH, preceded by the folders of the Pulumi CLI and of the npm packages' programs. The root
 * folder of `@pulumi/pulumi` is included, because it contains the program that runs dynamic providers.
 *
 * @param bin Path of the folder with the Pulumi CLI.
 */
export const pathWith = (bin: string): string =>
  [bin, join(root, "node_modules/.bin"), join(root, "node_modules/@pulumi/pulumi"), process.env.PATH].join(delimiter);
