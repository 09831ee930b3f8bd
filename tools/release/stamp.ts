import type { Addresses } from "./addresses";
import type { Run } from "./run";

/** Sets the version and the addresses in the package, the schema, the plugin and the SDKs. */
export async function stamp(
  version: string,
  { repository, downloadUrl }: Addresses,
  { checkout, run }: { readonly checkout: string; readonly run: Run },
): Promise<void> {
  await run("npm", ["version", "--no-git-tag-version", "--allow-same-version", version], checkout);
  const ofRepository = [`homepage=${repository}`, "repository.type=git", `repository.url=git+${repository}.git`];
  if (repository) await run("npm", ["pkg", "set", ...ofRepository], checkout);
  // Without these fields in package.json, `pulumi install` would not download the plugin.
  const ofPlugin = ["--json", "pulumi.resource=true", `pulumi.server="${downloadUrl}"`];
  if (downloadUrl) await run("npm", ["pkg", "set", ...ofPlugin], checkout);
  await run("npm", ["run", "generate"], checkout);
}
