import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foreignFolder, NOT_ON_WINDOWS } from "../messages";

/**
 * Returns the folder with the sockets and logs of this user's background servers, and creates the folder if needed.
 *
 * @throws Error on Windows, or if other users can access the folder, because they could answer in place of a server.
 */
export async function backgroundFolder(): Promise<string> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error(NOT_ON_WINDOWS);
  const folder = join(tmpdir(), `dbplatform-api-${uid}`);
  await mkdir(folder, { mode: 0o700, recursive: true });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) throw new Error(foreignFolder(folder));
  return folder;
}

/** The files of a background server, which differ only in their extensions. */
export const socketOf = (stem: string): string => `${stem}.sock`;
export const logOf = (stem: string): string => `${stem}.log`;
