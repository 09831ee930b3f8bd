import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/run";

export function commandsOf(example: string): string {
  const readme = readFileSync(join(root, "examples", example, "README.md"), "utf8");
  return [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join("");
}
