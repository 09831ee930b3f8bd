import { open } from "node:fs/promises";

/** How many files are open at once. */
const AT_ONCE = 64;

/** Resolves when the content of these files is on disk, so that a power cut does not lose it. */
export async function reachDisk(paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += AT_ONCE)
    await Promise.all(
      paths.slice(from, from + AT_ONCE).map(async (path) => {
        const file = await open(path, "r+");
        await file.sync().finally(() => file.close());
      }),
    );
}
