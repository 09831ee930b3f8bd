import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The folders in which `publish` prepares a folder. */
export interface Workshop {
  /** Folder for temporary files. */
  readonly scratch: string;
  /** The contents of the published folder. */
  readonly whole: string;
}

/** Creates `folder` under a temporary name and then renames it, so that an incomplete folder is never published. */
export async function publish(folder: string, make: (workshop: Workshop) => Promise<void>): Promise<void> {
  const temporary = await mkdtemp(prefix(folder));
  try {
    const workshop = { scratch: join(temporary, "scratch"), whole: join(temporary, "whole") };
    await mkdir(workshop.scratch);
    await mkdir(workshop.whole);
    await make(workshop);
    await moveAway(folder, join(temporary, "replaced"));
    await rename(workshop.whole, folder);
  } finally {
    await remove(temporary);
  }
}

/** Removes what interrupted processes left behind; call it only while no other process publishes `folder`. */
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

/** Retries, because compilers started by a killed process may still be writing. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
