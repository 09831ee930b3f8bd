import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where something is made before it is published. */
export interface Workshop {
  /** For whatever is not to be kept. */
  readonly scratch: string;
  /** What the published folder will contain. */
  readonly whole: string;
}

/** Makes `folder` beside its place and puts it there by one rename, so that what lies there was finished. */
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

/** With repetitions: compilers of a process that was killed may still be writing. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
