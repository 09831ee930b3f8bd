import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/run";

/** Returns the shell blocks in an example's README as one script: the first `blocks` blocks, or all by default. */
export function commandsOf(example: string, blocks?: number): string {
  const readme = readFileSync(join(root, "examples", example, "README.md"), "utf8");
  const found = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return found.slice(0, blocks).join("");
}
