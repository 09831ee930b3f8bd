import { parseArgs } from "node:util";

/**
 * The URLs of the repository and of the downloads, which a release contains. The source code does not contain them,
 * because they do not exist yet.
 */
export interface Addresses {
  /** Address of the repository, for the schema, the npm package and the SDKs. */
  readonly repository?: string;
  /** Address of the folder from which Pulumi downloads the plugin archives. */
  readonly downloadUrl?: string;
}

/**
 * Parses `<version> [--repository <url>] [--download-url <url>]`. A slash or `.git` at the end of an address is removed.
 *
 * @throws Error if an argument is unknown or not an https address.
 */
export function parseRelease(args: readonly string[]): { readonly wanted?: string; readonly addresses: Addresses } {
  const options = { repository: { type: "string" }, "download-url": { type: "string" } } as const;
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
  for (const [name, value] of Object.entries(values))
    if (URL.parse(value)?.protocol !== "https:") throw new Error(`--${name} must be an https address, not "${value}"`);
  const repository = values.repository?.replace(/\/*$/, "").replace(/\.git$/, "");
  const downloadUrl = values["download-url"]?.replace(/\/*$/, "");
  return {
    wanted: positionals[0],
    addresses: { ...(repository ? { repository } : {}), ...(downloadUrl ? { downloadUrl } : {}) },
  };
}

/** Returns, for each missing address, a sentence that says what the release lacks as a result. */
export const leftOut = ({ repository, downloadUrl }: Addresses): string[] => [
  ...(repository
    ? []
    : ["The schema and the packages name no repository, and there is no module for Go programs (--repository)."]),
  ...(downloadUrl
    ? []
    : ["The packages name no download address of the plugin, so projects need `plugins:` (--download-url)."]),
];
