import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { defaultDataUnusable } from "../messages";

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
