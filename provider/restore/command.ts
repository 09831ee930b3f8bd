import { Command, InvalidArgumentError } from "commander";
import { SETTINGS_FROM_ENVIRONMENT } from "../command/messages";
import { onPlatform } from "../command/on-platform";
import { wholeDurationOf } from "../command/option-values";
import { readStates } from "../command/states";
import { INVALID_MOMENT, INVALID_RENAME } from "./messages";
import { type Moment, planAndRestore, type RestoreOptions } from "./restore";

/** An instant with a date, a time and an offset (RFC 3339). */
const INSTANT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** The command that brings back deleted databases and groups, whether or not a program declares them. */
export const restore = new Command("restore")
  .description(
    "Prints which databases and groups were deleted in a window of time, and what would bring them back. With --yes, restores them with their data. Changes nothing that lives.",
  )
  .argument("[states...]", "files from `pulumi stack export`, or - for standard input; shows which stacks declare them")
  .requiredOption("--since <when>", "deleted since then: 10m, 2h, 1d, or an instant (RFC 3339)", parseMoment)
  .option("--until <when>", "deleted until then (default: now)", parseMoment)
  .option("--group <group>", "only this group (name or UUID) and its databases")
  .option("--name <pattern>", "only objects with this name; * matches any text")
  .option("--by <username>", "only what this user deleted, with whatever token, if the audit log proves it")
  .option(
    "--rename <pattern>",
    "new name of a database whose name is taken, for example '{name}-restored'",
    parseRename,
  )
  .option("--yes", "restore, instead of only printing the plan")
  .option("--json", "print JSON")
  .addHelpText(
    "after",
    `
${SETTINGS_FROM_ENVIRONMENT}

Examples:
  $ npx pulumi-dbplatform restore --since 10m
  $ npx pulumi-dbplatform restore --since 2h --name 'tenant-*' --by ada --yes

Exit codes:
  0  everything is back; without --yes: everything can come back
  1  the command failed or was interrupted; run it again to continue
  7  something is not back; the reasons are in the output`,
  )
  .action(runRestore);

async function runRestore(paths: string[], options: RestoreOptions): Promise<void> {
  const managed = paths.length > 0 ? await readStates(paths) : undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const stop = () => ending.abort();
  // The second signal ends the process at once, as usual.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  try {
    process.exitCode = await onPlatform(signal, ({ platform: context }) =>
      planAndRestore(options, managed, {
        context,
        signal,
        out: (text) => void process.stdout.write(text),
        error: (text) => void process.stderr.write(text),
        isTerminal: process.stderr.isTTY && !process.env.CI,
      }),
    );
  } finally {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.removeListener(name, stop);
  }
}

function parseMoment(text: string): Moment {
  const ago = wholeDurationOf(text);
  if (ago !== undefined) return { ago };
  if (INSTANT.test(text) && Number.isFinite(Date.parse(text))) return { at: text };
  throw new InvalidArgumentError(INVALID_MOMENT);
}

function parseRename(text: string): string {
  if (text.includes("{name}")) return text;
  throw new InvalidArgumentError(INVALID_RENAME);
}
