import { Command } from "commander";
import { Instance } from "../../kit/instance";
import { SETTINGS_FROM_ENVIRONMENT } from "../command/messages";
import { dbplatform } from "../provider";
import { organizationSeed } from "./organization-seed";
import { readOrganization } from "./reading";
import { seedFile } from "./seed-file";

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
  const instance = new Instance(dbplatform, {}, process.env);
  const error = (text: string) => void process.stderr.write(`${text}\n`);
  try {
    if (instance.warning) error(instance.warning);
    const log = (_: string, message: string) => error(message);
    const { signal } = new AbortController();
    const found = await organizationSeed(await readOrganization(instance.context({ urn: "", signal, log }).platform));
    for (const sentence of found.missing) error(sentence);
    process.stdout.write(seedFile(found));
  } finally {
    await instance.close();
  }
}
