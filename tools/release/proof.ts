import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Contains the git tree of the last checkout that passed `.ci/run`. `npm ci`, with which `.ci/run` begins, removes it. */
const proofIn = (checkout: string): string => join(checkout, "node_modules/.cache/pulumi-dbplatform/proven");

/** Records that the checkout has passed `.ci/run`, unless the checkout differs from its last commit. */
export function recordProof(checkout: string): void {
  const tree = treeOf(checkout);
  rmSync(proofIn(checkout), { force: true });
  if (tree === undefined) return;
  mkdirSync(dirname(proofIn(checkout)), { recursive: true });
  writeFileSync(proofIn(checkout), tree);
}

/** Returns whether exactly these files have passed `.ci/run` in this checkout. */
export const isProven = (checkout: string): boolean =>
  existsSync(proofIn(checkout)) && readFileSync(proofIn(checkout), "utf8") === treeOf(checkout);

function treeOf(checkout: string): string | undefined {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, encoding: "utf8" }).trim();
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD^{tree}") : undefined;
}
