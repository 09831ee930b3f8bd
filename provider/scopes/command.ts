import { Command } from "commander";
import { credentialsFor } from "./credential";
import { credentialsAsJson, credentialsAsText } from "./output";
import { readPreview } from "./preview";

/** The command `dbplatform scopes`, which reports the permissions that a run requires. Sends no requests. */
export const scopes = new Command("scopes")
  .description(
    "Says what the API token of a run needs at least: a group and scopes, or a role in the organization and why no group-scoped token is enough. Reads the preview of the run, and needs neither a token nor a network.",
  )
  .argument("<preview>", "file from `pulumi preview --json`, or - for standard input")
  .option("--json", "show the result as JSON")
  .addHelpText(
    "after",
    `
The preview itself may run with any token that sees the objects. The previews of \`pulumi destroy\` and
\`pulumi refresh\` work too.

Examples:
  $ pulumi preview --json > preview.json && dbplatform scopes preview.json
  $ dbplatform scopes --json preview.json | jq '.credentials[] | .scopes // .role'

Exit codes:
  0  success
  1  the file is not a preview, or the preview failed or contains no objects of the platform; the reason is on
     standard error`,
  )
  .action(async (file: string, { json }: { readonly json?: true }) => {
    const credentials = credentialsFor(await readPreview(file));
    process.stdout.write(json ? credentialsAsJson(credentials) : credentialsAsText(credentials));
  });
