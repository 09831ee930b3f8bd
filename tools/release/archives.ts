import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const PLUGIN = "pulumi-resource-dbplatform";

/** The platforms for which Pulumi downloads plugins, with the names that Pulumi uses. */
const PLATFORMS = ["linux", "darwin", "windows"].flatMap((os) => ["amd64", "arm64"].map((cpu) => ({ os, cpu })));

/** Path of the script that checks the version of Node.js against the version that package.json requires. */
const NODE_CHECK = "dist/sdk/needed-node.js";

/** A file that a release publishes. */
export interface PublishedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Packs the plugin for `pulumi plugin install`: one archive for each platform, with exactly the files that the plugin
 * loads or reads, and a checksum file.
 *
 * The archives do not contain package.json, because the plugin needs no npm packages.
 *
 * @param checkout Path of the built repository.
 * @param folder Path of the folder for the archives.
 */
export function packPlugin(checkout: string, version: string, folder: string): PublishedFile[] {
  mkdirSync(folder, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), "dbplatform-plugin-"));
  try {
    stage(checkout, staging);
    const packed = PLATFORMS.map(({ os, cpu }) => {
      // The archives for Windows are packed last, so that no other archive contains this file.
      if (os === "windows") copyFileSync(join(checkout, `${PLUGIN}.cmd`), join(staging, `${PLUGIN}.cmd`));
      const archive = join(folder, `${PLUGIN}-v${version}-${os}-${cpu}.tar.gz`);
      execFileSync("tar", ["-czf", archive, "-C", staging, "."]);
      return published(archive);
    });
    const checksums = join(folder, `${PLUGIN}-v${version}-checksums.txt`);
    writeFileSync(checksums, packed.map(({ path, sha256 }) => `${sha256}  ${basename(path)}\n`).join(""));
    return [...packed, published(checksums)];
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Copies the plugin's files into a folder. Writes the required Node.js version from package.json into the version
 * check.
 */
function stage(checkout: string, staging: string): void {
  const files = [PLUGIN, "schema.json", "LICENSE", "dist/LICENCES.txt", ...loadedBy(checkout, PLUGIN)];
  for (const file of files.filter((file) => file !== "package.json")) {
    mkdirSync(dirname(join(staging, file)), { recursive: true });
    copyFileSync(join(checkout, file), join(staging, file));
  }
  chmodSync(join(staging, PLUGIN), 0o755);
  const { engines } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const check = join(staging, NODE_CHECK);
  const text = readFileSync(check, "utf8");
  writeFileSync(check, nodeCheckFor(engines, text));
}

/** Returns the check of the version of Node.js without its need for a package.json. */
export const nodeCheckFor = (engines: object, check: string): string =>
  check.replace(/require\("[./]*package\.json"\)/, JSON.stringify({ engines }));

/** Returns the size and the checksum of a file. */
export function published(path: string): PublishedFile {
  const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  return { path, bytes: statSync(path).size, sha256 };
}

/** Returns the files that a program loads with `require`, directly or indirectly. */
function loadedBy(checkout: string, program: string, found = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(join(checkout, program), "utf8");
  for (const [, path = ""] of text.matchAll(/require\("(\.[^"]+)"\)/g)) {
    const file = join(dirname(program), path);
    if (found.has(file)) continue;
    found.add(file);
    loadedBy(checkout, file, found);
  }
  return found;
}
