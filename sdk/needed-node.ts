// Any Node.js must be able to parse this file, and whatever loads it: nothing here is newer than ES2015.
const { engines }: { readonly engines: { readonly node: string } } = require("../../package.json");

const NEEDED = engines.node.replace(">=", "");

/** Says so when this Node.js is older than `engines` in package.json allows. @param what What is about to be loaded. */
function problemOf(what: string): string | undefined {
  const { node } = process.versions;
  if (!isOlder(node, NEEDED)) return undefined;
  return `${what} needs Node.js ${NEEDED} or newer; this is Node.js ${node} (${process.execPath}). Install a newer one, or put it first on PATH.`;
}

function isOlder(version: string, other: string): boolean {
  const [parts, others] = [version.split("."), other.split(".")];
  const differing = parts.findIndex((part, place) => Number(part) !== Number(others[place]));
  return Number(parts[differing]) < Number(others[differing]);
}

/** Ends a program on an old Node.js with one sentence. */
export function exitUnlessNewEnough(program: string): void {
  const problem = problemOf(program);
  if (problem === undefined) return;
  console.error(problem);
  process.exit(1);
}

/** Throws the same sentence from a library, without a stack: Pulumi prints the stack and not the message. */
export function throwUnlessNewEnough(library: string): void {
  const problem = problemOf(library);
  if (problem !== undefined) throw Object.assign(new Error(problem), { stack: problem });
}
