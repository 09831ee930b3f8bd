import { Command } from "commander";
import { SETTINGS_FROM_ENVIRONMENT } from "../command/messages";
import { onPlatform } from "../command/on-platform";
import { printError } from "../command/output";
import { organizationSeed, seedFile } from "./organization-seed";
import { readOrganization } from "./reading";

/** The command that writes an organization of the platform as a seed of the reference API. */
export const fromLive = new Command("from-live")
  .description(
    "Print a seed file with the groups, databases, configurations, members, invites and tokens of an organization, and with what was deleted in the last five days. All objects keep their ids. Sends read requests only. Rows and the values of tokens are not in the file.",
  )
  .addHelpText(
    "after",
    `
${SETTINGS_FROM_ENVIRONMENT}

Examples:
  $ npx pulumi-dbplatform api seed from-live > acme.yaml
  $ npx pulumi-dbplatform api serve --seed acme.yaml`,
  )
  .action(writeSeed);

async function writeSeed(): Promise<void> {
  const found = await onPlatform(new AbortController().signal, async ({ platform }) =>
    organizationSeed(await readOrganization(platform)),
  );
  for (const sentence of found.missing) printError(sentence);
  process.stdout.write(seedFile(found));
}
