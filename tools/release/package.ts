import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Fields of package.json that only the repository needs. They are not published: if a user passed the path of the
 * unpacked package to Pulumi, Pulumi would install the development dependencies.
 */
const OF_REPOSITORY = ["devDependencies", "scripts", "allowScripts", "workspaces"];

/**
 * Packs the npm package.
 *
 * @param checkout Path of the built repository.
 * @param destination Path of the folder for the packed file.
 * @returns Path of the packed file.
 */
export function packPackage(checkout: string, destination: string): string {
  const npm = (cwd: string, ...args: string[]) => execFileSync("npm", ["pack", ...args], { cwd, stdio: "pipe" });
  const [listed] = Object.values(JSON.parse(npm(checkout, "--dry-run", "--json", "--ignore-scripts").toString()));
  const { files } = listed as { files: { readonly path: string }[] };
  const staging = mkdtempSync(join(tmpdir(), "dbplatform-staging-"));
  try {
    for (const { path } of files) cpSync(join(checkout, path), join(staging, path));
    const published = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
    for (const name of OF_REPOSITORY) delete published[name];
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    return join(destination, npm(staging, "--silent", "--pack-destination", destination).toString().trim());
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
