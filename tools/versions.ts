import { version as sdk } from "@pulumi/pulumi/package.json";
import { version as node } from "node/package.json";
import { version as cli } from "pulumi/package.json";
import { minVersion } from "semver";
import { dependencies, engines } from "../package.json";

/** Versions of Node.js, of the Pulumi CLI and of `@pulumi/pulumi`. */
interface Versions {
  readonly node: string;
  readonly cli: string;
  readonly sdk: string;
}

/**
 * Minimum supported versions, read from package.json. A test in test/docs checks that every page names the same
 * versions.
 */
export const MINIMUM: Versions = {
  node: lowestIn(engines.node),
  cli: lowestIn(engines.pulumi),
  sdk: lowestIn(dependencies["@pulumi/pulumi"]),
};

/** The versions that the tests use. `tools/pulumi-cli/go.mod` must contain the same version of the CLI. */
export const PINNED: Versions = { node, cli, sdk };

function lowestIn(range: string): string {
  const lowest = minVersion(range);
  if (!lowest) throw new Error(`"${range}" in package.json is no range of versions`);
  return lowest.version;
}
