import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../platform/reference/seed/seed";

/** Database names are numbered from 10,000, so that all of them have the same length. */
const FIRST = 10_000;

/** Writes a seed with one group of databases, and returns the path of the file. */
export function writeSeed(folder: string, databases: number): string {
  const seed: Seed = {
    users: [{ username: "ada" }],
    organizations: [
      {
        slug: "acme",
        members: [{ username: "ada", role: "owner" }],
        groups: [{ name: "default" }],
        databases: Array.from({ length: databases }, (_, number) => ({ name: `database-${FIRST + number}` })),
      },
    ],
  };
  const path = join(folder, `${databases}.yaml`);
  writeFileSync(path, JSON.stringify(seed));
  return path;
}
