import { fstatSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Context } from "../../kit/lifecycle/context";
import { messageOf } from "../../kit/refusal";
import { SETTINGS_FROM_ENVIRONMENT } from "../command/messages";
import { onPlatform } from "../command/on-platform";
import { wholeDurationOf } from "../command/option-values";
import { EXIT_WITH_FINDINGS, jsonOutput, printError } from "../command/output";
import { type ManagedObjects, readStates } from "../command/states";
import type { Choice } from "../inventory/choice";
import type { Platform, PlatformContext } from "../platform";
import { resources } from "../resources/list";
import { withCreations } from "./audit-log";
import { takeDeletedInventory } from "./deleted";
import { readForeignState } from "./foreign-state";
import { hasPlainSecret } from "./foreign-token";
import { importFile } from "./import-file";
import { takeInventory } from "./inventory";
import {
  existingFile,
  FAIL_WITHOUT_LIST,
  INVALID_DURATION,
  incompleteList,
  JSON_OF_IMPORT_FILE,
  missingStates,
  PLAIN_TOKENS,
  unsupportedType,
  unwritableFile,
} from "./messages";
import { notesOn, notesOnDeleted, notesOnExpiring } from "./notes";
import { deletedReportJson, deletedReportTable, unmanagedJson, unmanagedTable } from "./reports";

interface Options extends Pick<Choice, "group" | "name"> {
  readonly type?: readonly string[];
  /** In milliseconds */
  readonly olderThan?: number;
  readonly includeDeleted?: true;
  readonly from?: string;
  readonly out?: string;
  readonly unmanaged?: true;
  readonly deleted?: true;
  /** In milliseconds */
  readonly failWithin?: number;
  readonly json?: true;
}

const TYPES = resources.filter(({ list }) => list).map(({ type }) => type);
const ON_REQUEST = resources.filter(({ adoptedOnRequest }) => adoptedOnRequest).map(({ type }) => type);

/** Number of types whose deleted objects can be restored. */
const RESTORABLE = resources.filter(({ softDeleted }) => softDeleted).length;

/** The command `dbplatform adopt`, which writes an import file, or lists unmanaged or deleted objects. */
export const adopt = new Command("adopt")
  .description(
    "Lists the objects of an organization, and writes a file for `pulumi import --file`, or shows the objects that no stack manages or the deleted objects that can be restored. Changes nothing on the platform.",
  )
  .argument(
    "[states...]",
    "files from `pulumi stack export --file`, or - for standard input; their objects are left out, with --deleted shown with their stacks",
  )
  .option(
    "--type <type>",
    `only objects of this type (${TYPES.join(", ")}); can be repeated; needed for ${ON_REQUEST.join(" and ")}`,
    addType,
  )
  .option("--group <group>", "only this group (name or UUID) and the objects in it")
  .option("--name <pattern>", "only objects with this name; * matches any text")
  .option(
    "--older-than <duration>",
    "only objects that were created longer ago (7d, 12h); requires states",
    parseDuration,
  )
  .option(
    "--include-deleted",
    "also deleted objects that can be restored; the first `pulumi up` after the import restores them",
  )
  .addOption(
    new Option(
      "--from <state>",
      "only what other providers manage in this state, with its tokens; needs Pulumi 3.254 or newer",
    ).conflicts(["unmanaged", "deleted", "includeDeleted", "olderThan"]),
  )
  .option("--out <file>", "write to this file, which must not exist (default: standard output)")
  .option("--unmanaged", "instead of the import file, show the objects that are in none of the states")
  .addOption(
    new Option("--deleted", "instead of the import file, show the deleted objects that can be restored").conflicts([
      "unmanaged",
      "includeDeleted",
      "olderThan",
    ]),
  )
  .option(
    "--fail-within <duration>",
    "with --deleted: exit with code 7 if an object can be restored for at most this long (48h, 2d)",
    parseDuration,
  )
  .option("--json", "show them as JSON")
  .addHelpText(
    "after",
    `
${SETTINGS_FROM_ENVIRONMENT}

Examples:
  $ npx pulumi-dbplatform adopt --out import.json && pulumi import --file import.json --out adopted.ts
  $ npx pulumi-dbplatform adopt --unmanaged --older-than 7d --type Database --type Group dev.json prod.json

Exit codes:
  0  success, whether or not objects were found
  1  a setting is wrong, or the platform could not be read; the reason is on standard error
  7  with --fail-within: an object can be restored only briefly, or not at all; the reason is on standard error`,
  )
  .action(runAdopt);

async function runAdopt(paths: string[], options: Options): Promise<void> {
  const { unmanaged, olderThan, deleted, failWithin } = options;
  if (paths.length === 0) {
    if (unmanaged) throw new Error(missingStates({ option: "--unmanaged" }));
    if (olderThan !== undefined) throw new Error(missingStates({ option: "--older-than" }));
  }
  if (options.json && !unmanaged && !deleted) throw new Error(JSON_OF_IMPORT_FILE);
  if (failWithin !== undefined && !deleted) throw new Error(FAIL_WITHOUT_LIST);
  const managed = await readStates(paths);
  await onPlatform(new AbortController().signal, (context) =>
    deleted
      ? showDeleted(options, paths.length > 0 ? managed : undefined, context.platform)
      : showLive(options, managed, context),
  );
}

/** Writes the import file, or shows the unmanaged objects. */
async function showLive(options: Options, managed: ManagedObjects, context: Context<Platform>): Promise<void> {
  const { type: types, includeDeleted: deleted = false, unmanaged } = options;
  const foreign = options.from === undefined ? undefined : await readForeignState(options.from);
  const taken = await takeInventory({ ...options, types, deleted }, managed, context, foreign);
  if (taken.things.some(hasPlainSecret) && !isPassedOn(options)) throw new Error(PLAIN_TOKENS);
  const inventory = await withCreations(taken, options, context.platform);
  const shown = options.json ? unmanagedJson : unmanagedTable;
  await writeOutput(unmanaged ? shown(inventory) : jsonOutput(importFile(inventory.things)), options.out);
  for (const note of notesOn(inventory, options)) printError(note);
}

/**
 * Shows the deleted objects. With `failWithin`, sets the exit code if the recovery window of an object ends within this
 * time, or if restoring is currently disabled.
 */
async function showDeleted(
  options: Options,
  managed: ManagedObjects | undefined,
  context: PlatformContext,
): Promise<void> {
  const { type: types, failWithin, out } = options;
  const report = { ...(await takeDeletedInventory({ ...options, types }, context)), managed };
  await writeOutput(options.json ? deletedReportJson(report) : deletedReportTable(report), out);
  for (const note of notesOnDeleted(report)) printError(note);
  if (failWithin === undefined) return;
  const sentences = notesOnExpiring(report, failWithin);
  for (const sentence of sentences) printError(sentence);
  if (sentences.length > 0 || report.obstacle !== undefined) process.exitCode = EXIT_WITH_FINDINGS;
  else if (report.leftOut.length > 0) {
    const unlisted = report.leftOut.map(({ type }) => type);
    throw new Error(incompleteList({ types: unlisted, canListOthers: unlisted.length < RESTORABLE }));
  }
}

/** Returns whether another program reads the output, so that it stays nowhere. */
function isPassedOn({ out }: Options): boolean {
  const output = fstatSync(process.stdout.fd);
  return out === undefined && (output.isFIFO() || output.isSocket());
}

async function writeOutput(content: string, file: string | undefined): Promise<void> {
  if (file === undefined) {
    process.stdout.write(content);
    return;
  }
  try {
    await writeFile(file, content, { flag: "wx" });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === "EEXIST";
    throw new Error(exists ? existingFile({ file }) : unwritableFile({ file, reason: messageOf(cause) }), { cause });
  }
}

function addType(type: string, before: readonly string[] = []): readonly string[] {
  if (TYPES.includes(type)) return [...before, type];
  throw new InvalidArgumentError(unsupportedType({ types: TYPES }));
}

function parseDuration(text: string): number {
  const duration = wholeDurationOf(text);
  if (duration === undefined) throw new InvalidArgumentError(INVALID_DURATION);
  return duration;
}
