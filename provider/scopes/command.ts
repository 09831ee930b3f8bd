import { Command, InvalidArgumentError } from "commander";
import { expandScopes, SCOPES, type Scope, scopeProblem } from "../../platform/values/scope";
import { EXIT_WITH_FINDINGS } from "../command/output";
import { excessOf } from "./excess";
import { NO_OBJECTS } from "./messages";
import { credentialsFor } from "./needed-credential";
import { checkAsJson, checkAsText, neededCredentialsAsJson, neededCredentialsAsText } from "./output";
import { readPreview } from "./preview";

interface Options {
  readonly allow?: readonly Scope[];
  readonly json?: true;
}

/** The command `dbplatform scopes`, which reports the permissions that a run requires. Sends no requests. */
export const scopes = new Command("scopes")
  .description(
    "Says what the API token of a run needs at least: a group and scopes, or a role in the organization and why no group-scoped token is enough. Reads the preview of the run, and needs neither a token nor a network.",
  )
  .argument("<preview>", "file from `pulumi preview --json`, or - for standard input")
  .option(
    "--allow <scopes>",
    "fail if the run needs more than a group-scoped token with these scopes (or presets), separated by commas",
    allowedScopes,
  )
  .option("--json", "show the result as JSON")
  .addHelpText(
    "after",
    `
The preview itself may run with any token that sees the objects. The previews of \`pulumi destroy\` and
\`pulumi refresh\` work too.

Examples:
  $ pulumi preview --json > preview.json && npx pulumi-dbplatform scopes preview.json
  $ npx pulumi-dbplatform scopes --allow read,db:create,db:configure preview.json

Exit codes:
  0  success; with --allow: these scopes are enough, or the preview contains no objects of the platform
  1  the file is not a preview, or the preview failed or, without --allow, contains no objects of the platform; the
     reason is on standard error
  7  with --allow: the run needs more; the output shows what, for each resource`,
  )
  .action(async (file: string, options: Options) => {
    const { output, exitCode } = await reportOn(file, options);
    process.stdout.write(output);
    process.exitCode = exitCode;
  });

/**
 * Returns what the command prints, and its exit code.
 *
 * @throws Error if the file is not a complete preview or, without `allow`, contains no objects of the platform.
 */
export async function reportOn(
  file: string,
  { allow, json }: Options,
): Promise<{ readonly output: string; readonly exitCode: number }> {
  const credentials = credentialsFor(await readPreview(file));
  if (!allow) {
    if (credentials.length === 0) throw new Error(NO_OBJECTS);
    return { output: json ? neededCredentialsAsJson(credentials) : neededCredentialsAsText(credentials), exitCode: 0 };
  }
  const excess = excessOf(credentials, allow);
  return {
    output: json ? checkAsJson(credentials, allow, excess) : checkAsText(credentials, allow, excess),
    exitCode: excess.length > 0 ? EXIT_WITH_FINDINGS : 0,
  };
}

/**
 * Parses scopes and presets that are separated by commas.
 *
 * @throws InvalidArgumentError if one of them does not exist.
 */
export function allowedScopes(text: string): readonly Scope[] {
  const wanted = text.split(",").map((scope) => scope.trim());
  const problem = wanted.map(scopeProblem).find((found) => found !== undefined);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  const scopes = expandScopes(wanted);
  return SCOPES.filter((scope) => scopes.includes(scope));
}
