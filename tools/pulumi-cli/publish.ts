import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface StagingFolders {
  readonly scratch: string;
  readonly whole: string;
}

/** Creates `folder` under a temporary name and then renames it, so that an incomplete folder is never visible. */
export async function publish(folder: string, make: (folders: StagingFolders) => Promise<void>): Promise<void> {
  const temporary = await mkdtemp(prefix(folder));
  try {
    const folders = { scratch: join(temporary, "scratch"), whole: join(temporary, "whole") };
    await mkdir(folders.scratch);
    await mkdir(folders.whole);
    await make(folders);
    await moveAway(folder, join(temporary, "replaced"));
    await rename(folders.whole, folder);
  } finally {
    await remove(temporary);
  }
}

/**
 * Removes the unfinished files that interrupted processes have left behind. Must be called only while no other process
 * is publishing `folder`.
 */
export async function removeUnfinished(folder: string): Promise<void> {
  const start = basename(prefix(folder));
  for (const entry of await readdir(dirname(folder))) {
    if (entry.startsWith(start)) await remove(join(dirname(folder), entry));
  }
}

function prefix(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.unfinished-`);
}

async function moveAway(folder: string, to: string): Promise<void> {
  await rename(folder, to).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== "ENOENT") throw failure;
  });
}

/**
 * Removes a folder. Retries if the removal fails, because compilers started by a killed process may still be writing
 * files.
 */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
