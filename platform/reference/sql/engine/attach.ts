import { realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FILE } from "./database-files";
import type { Rights } from "./jobs";

const ATTACH = /attach\s+(?:database\s+)?('[^']*'|"[^"]*"|[^\s'";]+)/iy;

/** An ATTACH statement with the URI of a file in place of a DbId. */
interface Attaching {
  /** The statement and all that follows it in the script. */
  readonly text: string;
  /** How much longer `text` is than the same part of the script. */
  readonly added: number;
  /** The folder of the database to attach. */
  readonly folder: string;
  /** The URI of the file. */
  readonly address: string;
}

/**
 * Replaces the DbId in an ATTACH statement with the URI of that database's file. Returns `undefined` if no ATTACH
 * statement begins at this position, or if the database may not be attached.
 */
export function attachingAt(sql: string, from: number, { attachable }: Rights): Attaching | undefined {
  ATTACH.lastIndex = from;
  const [beginning = "", name = ""] = ATTACH.exec(sql) ?? [];
  const id = name.replace(/^['"]|['"]$/g, "").toLowerCase();
  const folder = Object.hasOwn(attachable, id) ? attachable[id] : undefined;
  if (folder === undefined) return undefined;
  const address = `${pathToFileURL(join(folder, FILE)).href.replace("file://", "file:")}?mode=ro`;
  const replaced = `attach '${address.replaceAll("'", "''")}'`;
  return {
    text: replaced + sql.slice(from + beginning.length),
    added: replaced.length - beginning.length,
    folder,
    address,
  };
}

/** Returns whether all of these attached files may still be read. */
export function mayStayAttached(files: readonly string[], { attachable }: Rights): boolean {
  if (files.length === 0) return true;
  // SQLite reports paths without symbolic links.
  const allowed = Object.values(attachable).map((folder) => join(realpathSync(folder), FILE));
  return files.every((file) => allowed.includes(file));
}
