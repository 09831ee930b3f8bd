import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/run";

/** Returns the first `blocks` shell blocks in an example's README, or all of them, as one script. */
export function commandsOf(example: string, blocks?: number): string {
  const readme = readFileSync(join(root, "examples", example, "README.md"), "utf8");
  const found = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return found.slice(0, blocks).join("");
}
