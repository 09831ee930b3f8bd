import { writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { version } from "../../package.json";
import { messageOf } from "../../platform/client/refusal";
import { Instance } from "../instance";
import { resources } from "../resources/list";
import type { Choice } from "./choice";
import { importFile } from "./import-file";
import { type Inventory, takeInventory } from "./inventory";
import { notesOn } from "./notes";
import { readStates } from "./states";
import { json, unmanagedJson, unmanagedTable } from "./unmanaged";

interface Options extends Omit<Choice, "types" | "deleted"> {
  readonly type?: readonly string[];
  readonly deleted?: boolean;
  readonly out?: string;
  readonly unmanaged?: true;
  readonly json?: true;
}

const TYPES = resources.filter(({ list }) => list).map(({ type }) => type);

/** The command `dbplatform-adopt`. */
export const adopt = new Command("dbplatform-adopt")
  .description(
    "Reads what an organization has, and writes the file for `pulumi import --file`, or shows what is in no stack. Nothing is changed on the platform.",
  )
  .version(version)
  .argument("[states...]", "files of `pulumi stack export`, `-` for the standard input: what is in them is left out")
  .option("--type <type>", `only this type (${TYPES.join(", ")}); may be given several times`, another)
  .option("--group <group>", "only this group (name or UUID) and what is in it")
  .option("--name <pattern>", "only what has such a name; * stands for any text")
  .option(
    "--deleted",
    "deleted ones as well, those that can be restored: the program's first `pulumi up` restores them",
  )
  .option("--out <file>", "write to this file, which must not exist; left out: to the standard output")
  .option("--unmanaged", "in place of the file, show what is in none of the states")
  .option("--json", "show it as JSON")
  .addHelpText(
    "after",
    `
Settings come from the environment, as the provider's: DBPLATFORM_BASE_URL, DBPLATFORM_ORGANIZATION,
DBPLATFORM_API_TOKEN, and for a group-scoped token DBPLATFORM_ORGANIZATION_ID.

Examples:
  $ dbplatform-adopt --out import.json && pulumi import --file import.json --out adopted.ts
  $ dbplatform-adopt --group shop --name 'orders-*' --deleted
  $ pulumi stack export | dbplatform-adopt --unmanaged -
  $ dbplatform-adopt --unmanaged --json dev.json prod.json

Exit codes:
  0  done, whatever was found
  1  a setting is wrong, or the platform could not be read; standard error says why`,
  )
  .action(run);

async function run(paths: string[], { type = [], deleted = false, ...options }: Options): Promise<void> {
  if (options.unmanaged && paths.length === 0)
    throw new Error(
      "--unmanaged compares with states: give the files of `pulumi stack export`, or - for one on the standard input",
    );
  if (options.json && !options.unmanaged)
    throw new Error("--json belongs to --unmanaged; the file for the import is JSON by itself");
  const managed = await readStates(paths);
  const instance = new Instance({}, process.env);
  try {
    if (instance.warning) printError(instance.warning);
    const call = {
      urn: "",
      signal: new AbortController().signal,
      log: (_: string, message: string) => printError(message),
    };
    const inventory = await takeInventory({ ...options, types: type, deleted }, managed, instance.context(call));
    await write(contentOf(inventory, options), options.out);
    for (const note of notesOn(inventory, options)) printError(note);
  } finally {
    await instance.close();
  }
}

function contentOf(inventory: Inventory, { unmanaged, json: asJson }: Options): string {
  if (!unmanaged) return json(importFile(inventory.things));
  return asJson ? unmanagedJson(inventory) : unmanagedTable(inventory);
}

async function write(content: string, path: string | undefined): Promise<void> {
  if (path === undefined) {
    process.stdout.write(content);
    return;
  }
  try {
    await writeFile(path, content, { flag: "wx" });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === "EEXIST";
    throw new Error(exists ? `${path} exists already: name another file, or remove it` : messageOf(cause), { cause });
  }
}

function another(type: string, before: readonly string[] = []): readonly string[] {
  if (TYPES.includes(type)) return [...before, type];
  throw new InvalidArgumentError(`There are ${TYPES.join(", ")}.`);
}

function printError(message: string): void {
  process.stderr.write(`${message}\n`);
}
