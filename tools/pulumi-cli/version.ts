import { version } from "pulumi/package.json";

/** The version of the Pulumi CLI, which the dev dependency `pulumi` pins. go.mod must contain the same version. */
export const pinnedVersion: string = version;

/** The oldest version of a Pulumi CLI on PATH that is used instead of downloading the pinned version. */
export const minimumVersion = "3.252.0";
