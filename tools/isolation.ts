import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Makes what Pulumi keeps things in, each empty: its home, a state, and a project. */
export function makeFolders(folder: string): void {
  for (const name of ["home", "state", "project"]) mkdirSync(join(folder, name));
}

/** The environment in which Pulumi uses these, and nothing that the machine has beside them. */
export const isolated = (folder: string): Record<string, string> => ({
  PULUMI_HOME: join(folder, "home"),
  PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
  PULUMI_CONFIG_PASSPHRASE: "isolated",
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
});
