// Every version of Node.js must be able to parse this file and its callers, so they use only ES2015 syntax.
const { engines }: { readonly engines: { readonly node: string } } = require("../../package.json");

const NEEDED = engines.node.replace(">=", "");

/**
 * Returns an error message if this version of Node.js is older than `engines` in package.json allows.
 *
 * @param what Name of the program or library that needs a newer version.
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

/** Exits with a short message if this version of Node.js is too old. */
export function exitUnlessNewEnough(program: string): void {
  const problem = problemOf(program);
  if (problem === undefined) return;
  console.error(problem);
  // `eval "$(…)"` would succeed if nothing were printed, and the command after `&&` would run.
  if (process.argv.indexOf("--background") !== -1) console.log("false");
  process.exit(1);
}

/**
 * Throws an error if this version of Node.js is too old for a library. The error's stack is replaced with the message,
 * because Pulumi prints the stack instead of the message.
 */
export function throwUnlessNewEnough(library: string): void {
  const problem = problemOf(library);
  if (problem !== undefined) throw Object.assign(new Error(problem), { stack: problem });
}
