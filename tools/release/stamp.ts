import type { Addresses } from "./addresses";
import { assertTrue, writeReleasedPages } from "./pages";
import type { RunProgram } from "./run";

/**
 * Sets the version and the addresses in the package, the schema, the plugin and the SDKs, and writes what is true of
 * the release into the pages and examples.
 *
 * @throws Error if a page or an example still contains a sentence that is not true of a release.
 */
export async function stamp(
  version: string,
  addresses: Addresses,
  { checkout, run }: { readonly checkout: string; readonly run: RunProgram },
): Promise<void> {
  const { repository, downloadUrl } = addresses;
  // Without the option, npm would install the packages again.
  const inAllPackages = ["--workspaces", "--include-workspace-root", "--package-lock-only"];
  await run("npm", ["version", "--no-git-tag-version", "--allow-same-version", ...inAllPackages, version], checkout);
  const ofRepository = [`homepage=${repository}`, "repository.type=git", `repository.url=git+${repository}.git`];
  if (repository) await run("npm", ["pkg", "set", ...ofRepository], checkout);
  // Without these fields in package.json, `pulumi install` would not download the plugin.
  const ofPlugin = ["--json", "pulumi.resource=true", `pulumi.server="${downloadUrl}"`];
  if (downloadUrl) await run("npm", ["pkg", "set", ...ofPlugin], checkout);
  writeReleasedPages(checkout, { version, ...addresses });
  await run("npm", ["run", "generate"], checkout);
  assertTrue(checkout, { version, ...addresses });
}
