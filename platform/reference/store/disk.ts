import { open } from "node:fs/promises";

/** How many files are open at once. */
const AT_ONCE = 64;

/** Resolves when the content of these files is on disk, so that a power cut does not lose it. */
export const reachDisk = (files: readonly string[]): Promise<void> => syncAll(files, "r+");

/** Resolves when the names of the files in these folders are on disk. Windows cannot be asked for that. */
export async function foldersReachDisk(folders: readonly string[]): Promise<void> {
  if (process.platform !== "win32") await syncAll(folders, "r");
}

async function syncAll(paths: readonly string[], mode: "r+" | "r"): Promise<void> {
  for (let from = 0; from < paths.length; from += AT_ONCE)
    await Promise.all(
      paths.slice(from, from + AT_ONCE).map(async (path) => {
        const file = await open(path, mode);
        await file.sync().finally(() => file.close());
      }),
    );
}
