import { Command } from "commander";
import { Document } from "yaml";
import { SETTINGS_FROM_ENVIRONMENT } from "../command/messages";
import { onPlatform } from "../command/on-platform";
import { printError } from "../command/output";
import { seedOrigin } from "./messages";
import { type OrganizationSeed, organizationSeed } from "./organization-seed";
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
  $ dbplatform api seed from-live > acme.yaml
  $ dbplatform api serve --seed acme.yaml`,
  )
  .action(writeSeed);

async function writeSeed(): Promise<void> {
  const found = await onPlatform(new AbortController().signal, async ({ platform }) =>
    organizationSeed(await readOrganization(platform)),
  );
  for (const sentence of found.missing) printError(sentence);
  process.stdout.write(organizationSeedFile(found));
}

const SCHEMA = "yaml-language-server: $schema=./node_modules/pulumi-dbplatform/dist/seed.schema.json";

/** Returns the text of a seed file. Its first lines say where the content comes from, and what is missing. */
export function organizationSeedFile({ seed, missing, readAt }: OrganizationSeed): string {
  const organization = seed.organizations[0]?.slug ?? "";
  const document = new Document(seed, { aliasDuplicateObjects: false });
  const comments = [SCHEMA, seedOrigin({ organization, readAt: readAt.toISOString() }), ...missing];
  // A control character could end the comment or change what a terminal shows.
  document.commentBefore = comments.map((line) => ` ${line.replaceAll(/\p{Cc}/gu, " ")}`).join("\n");
  return document.toString({ lineWidth: 0 });
}
