import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Creates empty folders for Pulumi's home, for the state, and for the project. */
export function makeFolders(folder: string): void {
  for (const name of ["home", "state", "project"]) mkdirSync(join(folder, name));
}

/**
 * Returns environment variables that make Pulumi use only these folders, so that nothing else on the machine is read or
 * changed.
 */
export const isolated = (folder: string): Record<string, string> => ({
  PULUMI_HOME: join(folder, "home"),
  PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
  PULUMI_CONFIG_PASSPHRASE: "isolated",
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
});
