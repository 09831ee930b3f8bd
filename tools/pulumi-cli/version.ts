import { version } from "pulumi/package.json";

/** The CLI's version, pinned by the dev dependency `pulumi`. go.mod has to follow it. */
export const pinnedVersion: string = version;

/** The oldest CLI on PATH that is accepted. */
export const minimumVersion = "3.252.0";
