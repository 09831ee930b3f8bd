import { writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { version } from "../../package.json";
import { messageOf } from "../../platform/client/refusal";
import { durationOf } from "../../platform/values/duration";
import { Instance } from "../instance";
import { resources } from "../resources/list";
import { withCreations } from "./age";
import type { Choice } from "./choice";
import { importFile } from "./import-file";
import { type Inventory, takeInventory } from "./inventory";
import { existingFile, INVALID_AGE, JSON_OF_IMPORT_FILE, missingStates, unsupportedType } from "./messages";
import { notesOn } from "./notes";
import { readStates } from "./states";
import { json, unmanagedJson, unmanagedTable } from "./unmanaged";

interface Options extends Omit<Choice, "types" | "deleted"> {
  readonly type?: readonly string[];
  readonly deleted?: boolean;
  /** In milliseconds */
  readonly olderThan?: number;
  readonly out?: string;
  readonly unmanaged?: true;
  readonly json?: true;
}

const TYPES = resources.filter(({ list }) => list).map(({ type }) => type);
const OF_PEOPLE = resources.filter(({ ofPeople }) => ofPeople).map(({ type }) => type);

/** Excludes fractions, and `ms`, which is one letter away from minutes. */
const AGE = /^(\d+[wdhms])+$/;

/** Defines the command `dbplatform-adopt`, which writes an import file for objects that no stack manages yet. */
export const adopt = new Command("dbplatform-adopt")
  .description(
    "Lists the objects of an organization, and writes a file for `pulumi import --file`, or shows the objects that no stack manages. Changes nothing on the platform.",
  )
  .version(version)
  .argument(
    "[states...]",
    "files from `pulumi stack export --file`, or - for standard input; objects in these states are left out",
  )
  .option(
    "--type <type>",
    `only objects of this type (${TYPES.join(", ")}); can be repeated; needed for ${OF_PEOPLE.join(" and ")}`,
    another,
  )
  .option("--group <group>", "only this group (name or UUID) and the objects in it")
  .option("--name <pattern>", "only objects with this name; * matches any text")
  .option("--older-than <duration>", "only objects that were created longer ago (7d, 12h); requires states", durationIn)
  .option(
    "--deleted",
    "also deleted objects that can be restored; the first `pulumi up` after the import restores them",
  )
  .option("--out <file>", "write to this file, which must not exist (default: standard output)")
  .option("--unmanaged", "instead of the import file, show the objects that are in none of the states")
  .option("--json", "show them as JSON")
  .addHelpText(
    "after",
    `
The settings come from the environment: DBPLATFORM_BASE_URL, DBPLATFORM_ORGANIZATION, DBPLATFORM_API_TOKEN,
and for a group-scoped token DBPLATFORM_ORGANIZATION_ID.

Examples:
  $ dbplatform-adopt --out import.json && pulumi import --file import.json --out adopted.ts
  $ dbplatform-adopt --group shop --name 'orders-*' --deleted
  $ pulumi stack export | dbplatform-adopt --unmanaged -
  $ dbplatform-adopt --unmanaged --json dev.json prod.json
  $ dbplatform-adopt --unmanaged --older-than 7d --type Database --type Group dev.json prod.json

Exit codes:
  0  success, whether or not objects were found
  1  a setting is wrong, or the platform could not be read; the reason is on standard error`,
  )
  .action(run);

async function run(paths: string[], { type = [], deleted = false, ...options }: Options): Promise<void> {
  if (paths.length === 0) {
    if (options.unmanaged) throw new Error(missingStates("--unmanaged"));
    if (options.olderThan !== undefined) throw new Error(missingStates("--older-than"));
  }
  if (options.json && !options.unmanaged) throw new Error(JSON_OF_IMPORT_FILE);
  const managed = await readStates(paths);
  const instance = new Instance({}, process.env);
  try {
    if (instance.warning) printError(instance.warning);
    const call = {
      urn: "",
      signal: new AbortController().signal,
      log: (_: string, message: string) => printError(message),
    };
    const context = instance.context(call);
    const taken = await takeInventory({ ...options, types: type, deleted }, managed, context);
    const inventory = await withCreations(taken, options, context.platform);
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
    throw new Error(exists ? existingFile(path) : messageOf(cause), { cause });
  }
}

function another(type: string, before: readonly string[] = []): readonly string[] {
  if (TYPES.includes(type)) return [...before, type];
  throw new InvalidArgumentError(unsupportedType(TYPES));
}

function durationIn(text: string): number {
  const duration = AGE.test(text) ? durationOf(text) : undefined;
  if (duration === undefined) throw new InvalidArgumentError(INVALID_AGE);
  return duration;
}

function printError(message: string): void {
  process.stderr.write(`${message}\n`);
}
