// Any Node.js must be able to parse this file and the files that load it, so they use no syntax newer than ES2015.
const { engines }: { readonly engines: { readonly node: string } } = require("../../package.json");

const NEEDED = engines.node.replace(">=", "");

/**
 * Returns an error message if this Node.js is older than `engines` in package.json allows.
 *
 * @param what The program or library that is about to be loaded.
 */
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

/** Exits a program on an outdated Node.js with a one-sentence message. */
export function exitUnlessNewEnough(program: string): void {
  const problem = problemOf(program);
  if (problem === undefined) return;
  console.error(problem);
  process.exit(1);
}

/**
 * Throws the message from a library, with the message as the stack, because Pulumi prints the stack instead of the
 * message.
 */
export function throwUnlessNewEnough(library: string): void {
  const problem = problemOf(library);
  if (problem !== undefined) throw Object.assign(new Error(problem), { stack: problem });
}
