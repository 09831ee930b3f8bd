import { version } from "pulumi/package.json";

/** The one place that pins the CLI is the dev dependency `pulumi`; go.mod follows it. */
export const pinnedVersion: string = version;

/** The oldest CLI from PATH that is taken. */
export const minimumVersion = "3.252.0";
