import { access } from "node:fs/promises";
import { Command, Option } from "commander";
import { Credential, mintCredential } from "../credentials/credential";
import { Signer } from "../credentials/signer";
import { randomIds } from "../ids";
import { readContent } from "../seed/content";
import { dataMissing } from "../store/messages";
import { isPostgres, MEMORY, openStore, storeOpeningError } from "../store/open";
import { askServer } from "./ask-server";
import { MEMORY_UNREACHABLE, notReferenceApi, URL_OR_DATA } from "./messages";
import type { CommandName } from "./name";

interface Options extends Omit<Credential, "organization" | "scopes"> {
  readonly url?: string;
  readonly key?: string;
  readonly data?: string;
  readonly organization?: string;
  readonly unrestricted?: true;
  readonly scope?: string[];
}

export const token = ({ npx }: CommandName) =>
  new Command("token")
    .summary("create an API token without having one")
    .description(
      "Create an API token without having one, and print it. By default, it is for the first organization, and belongs to its first owner or admin.",
    )
    .option("--url <address>", "address of a running server")
    .addOption(
      new Option(
        "--key <key>",
        "key of the server, if it has one; by default the value of DBPLATFORM_REFERENCE_KEY",
      ).conflicts("data"),
    )
    .option("--data <place>", "data of a server, as in `serve --data`; use instead of --url")
    .option("--organization <slug>", "organization of the token")
    .addOption(
      new Option(
        "--unrestricted",
        "create a token for all organizations of the user (deprecated by the platform)",
      ).conflicts(["organization", "group"]),
    )
    .addOption(new Option("--user <name>", "user of the token").conflicts("role"))
    .addOption(
      new Option("--role <role>", "use a member with this role, and create one if there is none").choices([
        "owner",
        "admin",
        "member",
        "viewer",
      ]),
    )
    .option("--group <name>", "pin the token to this group (group-scoped)")
    .option("--scope <scopes...>", "scopes or presets of a group-scoped token; all by default")
    .option("--name <name>", "name of the token; random by default")
    .addHelpText(
      "after",
      `
Examples:
  $ ${npx} token --url http://127.0.0.1:8080 --role viewer
  $ ${npx} token --data shop.db --group default --scope read db:create`,
    )
    .action(runToken);

async function runToken({ url, key, data, ...options }: Options): Promise<void> {
  if ((url === undefined) === (data === undefined)) throw new Error(URL_OR_DATA);
  const wanted = await readContent(credentialOf(options), Credential, "token");
  const text = url === undefined ? await mintInData(data ?? "", wanted) : await mintAtServer(url, { key, wanted });
  process.stdout.write(`${text}\n`);
}

const credentialOf = ({ unrestricted, scope, organization, ...rest }: Omit<Options, "url" | "key" | "data">) => ({
  ...rest,
  ...(organization !== undefined && { organization }),
  ...(unrestricted && { organization: null }),
  ...(scope && { scopes: scope }),
});

async function mintInData(data: string, wanted: Credential): Promise<string> {
  if (data === MEMORY) throw new Error(MEMORY_UNREACHABLE);
  if (!isPostgres(data) && data !== "")
    await access(data).catch((cause) => {
      throw new Error(dataMissing({ place: data }), { cause });
    });
  const store = await openStore(data, { mustHold: true });
  try {
    return await mintCredential(store, { signer: await Signer.of(store, randomIds), ids: randomIds }, wanted);
  } catch (thrown) {
    throw await storeOpeningError(data, thrown);
  } finally {
    await store.close();
  }
}

async function mintAtServer(url: string, { key, wanted }: { key?: string; wanted: Credential }): Promise<string> {
  const { token } = await askServer(url, { key, method: "POST", path: "tokens", body: wanted });
  if (typeof token !== "string") throw new Error(notReferenceApi({ url }));
  return token;
}
