import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FILE } from "./files";
import type { Rights } from "./jobs";

const ATTACH = /^attach\s+(?:database\s+)?('(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s'"]+)\s+as\s+([\s\S]+?)\s*;?\s*$/i;

/** Replaces the DbId in an ATTACH statement with the URI of that database's file, if the database may be attached. */
export function withAttached(sql: string, from: number, { attachable }: Rights): [text: string, attaching?: string] {
  if (!/^attach\b/i.test(sql.slice(from, from + 7))) return [sql];
  const [, name = "", alias = ""] = ATTACH.exec(sql.slice(from)) ?? [];
  const id = name.replace(/^['"]|['"]$/g, "").toLowerCase();
  const folder = Object.hasOwn(attachable, id) ? attachable[id] : undefined;
  if (folder === undefined) return [sql];
  const address = `${pathToFileURL(join(folder, FILE)).href.replace("file://", "file:")}?mode=ro`;
  return [`attach '${address.replaceAll("'", "''")}' as ${alias}`, address];
}
