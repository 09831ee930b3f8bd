import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { defaultDataUnusable, folderTooLong, foreignFolder, NOT_ON_WINDOWS } from "../messages";

/** The maximum length of a socket path on macOS, in bytes. Linux allows 107 bytes. */
const SOCKET_PATH_BYTES = 103;

/**
 * Returns the folder with the sockets and logs of this user's background servers, and creates the folder if needed.
 *
 * @throws Error if this process runs on Windows, if a socket path would be too long, or if the path is not a folder that
 *   belongs to this user alone, because another user could then impersonate a server.
 */
export async function backgroundFolder(): Promise<string> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error(NOT_ON_WINDOWS);
  const folder = resolve(tmpdir(), `dbplatform-api-${uid}`);
  if (Buffer.byteLength(socketOf(backgroundStemIn(folder))) > SOCKET_PATH_BYTES)
    throw new Error(folderTooLong({ folder }));
  await mkdir(folder, { mode: 0o700, recursive: true });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(foreignFolder({ folder }));
  return folder;
}

/** Returns the stem of a new server's file paths. Each path is the stem followed by an extension. */
export const backgroundStemIn = (folder: string): string => join(folder, randomBytes(4).toString("hex"));

/** Returns the path of a background server's socket, given the stem of its file paths. */
export const socketOf = (stem: string): string => `${stem}.sock`;
export const logOf = (stem: string): string => `${stem}.log`;

/** Keeps the file's name within the 255 bytes that file systems allow, in any script. */
const LONGEST_NAME = 50;

/**
 * Returns the path of the data that background servers use by default. Each working folder has its own data, because a
 * stack usually has a folder of its own, and a folder in a repository is no place for the server's signing keys.
 *
 * @throws Error if the folder for the data cannot be created.
 */
export async function defaultData(): Promise<string> {
  const { XDG_DATA_HOME = "" } = process.env;
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  const folder = join(isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home, ".local", "share"), "dbplatform-api");
  await mkdir(folder, { mode: 0o700, recursive: true }).catch((cause: Error) => {
    throw new Error(defaultDataUnusable({ folder, reason: cause.message }), { cause });
  });
  const path = process.cwd();
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 8);
  return join(folder, `${basename(path).slice(0, LONGEST_NAME)}-${hash}.db`);
}
