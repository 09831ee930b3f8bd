import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { addressOf, withLinks } from "./links";

/**
 * Fields of package.json that only the repository needs. They are not published: npm would warn of the script
 * `prepare`, and Pulumi would install the development dependencies if a user passed it the path of the unpacked package.
 */
const OF_REPOSITORY = ["devDependencies", "scripts", "allowScripts", "workspaces", "imports"];

/** Folder for the checkout's own files while npm packs others in their place. */
const KEPT = ".packing";

const npmPack = (cwd: string, ...args: string[]) =>
  execFileSync("npm", ["pack", ...args], { cwd, stdio: "pipe" }).toString();

/** Returns the paths of the files in the package. */
function packedFiles(checkout: string): string[] {
  const [listed] = Object.values(JSON.parse(npmPack(checkout, "--dry-run", "--json", "--ignore-scripts")));
  return (listed as { readonly files: readonly { readonly path: string }[] }).files.map(({ path }) => path);
}

/**
 * Returns the files that the package contains in another form than the checkout, by path: package.json without what
 * only the repository needs, and the pages that link to files outside the package.
 */
function changedFiles(checkout: string, packed: readonly string[]): Map<string, string> {
  const textOf = (path: string) => readFileSync(join(checkout, path), "utf8");
  const manifest = JSON.parse(textOf("package.json"));
  const { homepage: repository, version } = manifest;
  const isPacked = (path: string) => packed.some((file) => file === path || file.startsWith(`${path}/`));
  const pages = packed
    .filter((path) => path.endsWith(".md"))
    .map((page) => {
      const text = withLinks(page, textOf(page), (link) => {
        if (isPacked(link.path)) return link.written;
        return repository === undefined ? undefined : addressOf(link, { repository, version }, checkout);
      });
      return [page, text] as const;
    });
  return new Map([
    ["package.json", `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`],
    ...pages.filter(([page, text]) => text !== textOf(page)),
  ]);
}

/** Returns a manifest without what only the repository needs. */
export const publishedManifest = (manifest: object): object =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !OF_REPOSITORY.includes(name)));

/**
 * Puts the files of the package in the place of the checkout's, for `npm pack`, which packs what it finds in the
 * checkout. `restoreFiles` puts the originals back.
 */
export function replaceFiles(checkout: string): void {
  // After an interruption, the checkout's own files are there.
  if (existsSync(join(checkout, KEPT))) restoreFiles(checkout);
  for (const [path, text] of changedFiles(checkout, packedFiles(checkout))) {
    mkdirSync(dirname(join(checkout, KEPT, path)), { recursive: true });
    cpSync(join(checkout, path), join(checkout, KEPT, path));
    writeFileSync(join(checkout, path), text);
  }
}

export function restoreFiles(checkout: string): void {
  const kept = join(checkout, KEPT);
  const files = readdirSync(kept, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files)
    renameSync(join(parentPath, name), join(checkout, relative(kept, parentPath), name));
  rmSync(kept, { recursive: true, force: true });
}

/** Folder of the built repository with the platform's package. */
export const PLATFORM_PACKAGE = "dist/platform";

/** Puts the files of the platform's package into its folder, for `npm pack -w platform`. */
export function fillPlatform(checkout: string): void {
  const [folder, kept] = [join(checkout, "platform"), keptOfPlatform(checkout)];
  const names = readdirSync(join(checkout, PLATFORM_PACKAGE));
  // Needed after an interruption.
  emptyPlatform(checkout);
  rmSync(unfinished(kept), { recursive: true, force: true });
  mkdirSync(unfinished(kept));
  for (const name of names.filter((each) => existsSync(join(folder, each))))
    cpSync(join(folder, name), join(unfinished(kept), name), { recursive: true });
  renameSync(unfinished(kept), kept);
  for (const name of names) replace(join(folder, name), join(checkout, PLATFORM_PACKAGE, name));
}

/** Removes the files of the platform's package, and puts the folder's own files back. */
export function emptyPlatform(checkout: string): void {
  const [folder, kept] = [join(checkout, "platform"), keptOfPlatform(checkout)];
  if (!existsSync(kept)) return;
  const built = join(checkout, PLATFORM_PACKAGE);
  const names = new Set([...(existsSync(built) ? readdirSync(built) : []), ...readdirSync(kept)]);
  for (const name of names) replace(join(folder, name), join(kept, name));
  renameSync(kept, unfinished(kept));
  rmSync(unfinished(kept), { recursive: true });
}

/** The folder with copies of the platform's own files. It is there only while it has all of them. */
const keptOfPlatform = (checkout: string): string => join(checkout, "platform", KEPT);

const unfinished = (kept: string): string => join(dirname(kept), `${KEPT}.part`);

/** Replaces a file or folder by a copy of another, or removes it if there is no other. */
function replace(path: string, other: string): void {
  rmSync(path, { recursive: true, force: true });
  if (existsSync(other)) cpSync(other, path, { recursive: true });
}

/** Packs the platform's package, as `npm pack -w platform` does, without changing the checkout. */
export const packPlatform = (checkout: string, destination: string): string =>
  join(destination, npmPack(join(checkout, PLATFORM_PACKAGE), "--silent", "--pack-destination", destination).trim());

/**
 * Packs the npm package, as `npm pack` does in the checkout, without changing the checkout.
 *
 * @param checkout Path of the built repository.
 * @param destination Path of the folder for the packed file.
 * @returns Path of the packed file.
 */
export function packPackage(checkout: string, destination: string): string {
  const staging = mkdtempSync(join(tmpdir(), "dbplatform-staging-"));
  try {
    const packed = packedFiles(checkout);
    for (const path of packed) cpSync(join(checkout, path), join(staging, path));
    for (const [path, text] of changedFiles(checkout, packed)) writeFileSync(join(staging, path), text);
    return join(destination, npmPack(staging, "--silent", "--pack-destination", destination).trim());
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
