import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";

/**
 * Returns the path of the data that background servers use by default. Each working folder has its own data, because a
 * stack usually has a folder of its own, and a folder in a repository is no place for the server's signing keys.
 */
export async function defaultData(): Promise<string> {
  const { XDG_DATA_HOME = "" } = process.env;
  const home = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(homedir(), ".local", "share");
  const folder = join(home, "dbplatform-api");
  await mkdir(folder, { mode: 0o700, recursive: true });
  const path = process.cwd();
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 8);
  return join(folder, `${basename(path)}-${hash}.db`);
}
