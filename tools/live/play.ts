import type { Operation } from "../../platform/contract/api";
import { Unexpected } from "../platform-call";
import type { ReadyMessage } from "../reference";
import type { PromptedDatabase } from "../sql-prompt";
import {
  behindPulumisBack,
  createUndeclared,
  deleteOutside,
  liveDatabases,
  playDestruction,
  playImport,
  playRestoration,
  type Scene,
  say,
} from "../story";
import type { TemporaryProject } from "../temporary-project";
import { deleteOwnGroup, type OwnGroup, PREFIX, whatStays } from "./own-group";
import { compareRead, type KnownValues, READS, type ReadResult } from "./reads";
import type { StepResult } from "./report";

/** Twenty times what the story takes on the reference API. */
export const MOST_MINUTES = 10;

/** The story has two databases: one that the program declares, and one that is imported. */
const MOST_DATABASES = 2;

interface LiveStage {
  readonly stage: TemporaryProject;
  readonly platform: ReadyMessage;
  readonly group: OwnGroup;
  readonly location: string | undefined;
  readonly username: string | undefined;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/**
 * Plays everything in a group that it creates and deletes. A step that fails ends the story, and is in the result: this
 * function never rejects.
 */
export async function playEverything({ stage, platform, group, location = "", username, signal }: LiveStage) {
  const steps: StepResult[] = [];
  const reads: ReadResult[] = [];

  const step: Scene["step"] = async (text, play) => {
    say(text);
    const started = performance.now();
    const result = () => ({ text, milliseconds: performance.now() - started });
    try {
      signal.throwIfAborted();
      const done = await play();
      group.databases = await liveDatabases(scene);
      if (group.databases.length > MOST_DATABASES) throw new Unexpected(`more than ${MOST_DATABASES} databases`);
      steps.push(result());
      return done;
    } catch (failure) {
      console.error(`\n${failure instanceof Error ? failure.message : failure}`);
      steps.push({ ...result(), failure: reasonOf(failure, signal) });
      throw failure;
    }
  };
  const scene: Scene = { stage, platform, group: group.name, step };
  const known: KnownValues = {
    organizationSlug: platform.organization,
    organizationId: platform.organizationId,
    locationCode: location,
    username,
    deleted: "true",
  };
  const compareReads = async (operations: readonly Operation[], more: KnownValues = {}) => {
    for (const operation of operations) {
      const result = await compareRead(platform, operation, { ...known, ...more }, signal);
      console.log([operation, result.status ?? "", result.differences.join("; ") || "ok"].join(" "));
      reads.push(result);
    }
  };

  async function play(): Promise<void> {
    const archive = await createOwn().catch(() => undefined);
    const inGroup = { groupName: group.name, groupId: group.id, location, instanceName: location };
    const ofDatabase = { databaseName: archive?.Name, databaseId: archive?.DbId };
    const early = READS.filter((operation) => !LATE_READS.includes(operation));
    await step("All reads are compared with the contract.", () =>
      compareReads(early, archive && { ...inGroup, ...ofDatabase }),
    );
    if (!archive) return;
    await step("Somebody deletes the database.", () => deleteOutside(scene, archive));
    await playRestoration(scene);
    await step("`import` with the DbId of the database that was deleted first restores it.", async () => {
      await compareReads(["listDeletedDatabases"]);
      await playImport(scene, archive);
    });
    await step("`pulumi destroy` deletes what the program declared, and nothing is left.", () =>
      playDestruction(scene),
    );
  }

  async function createOwn(): Promise<PromptedDatabase> {
    await step("A group is created.", async () => {
      const request = { organizationSlug: platform.organization, body: { name: group.name, location } };
      group.isOwn = true;
      const created = await behindPulumisBack(scene, "createGroup", request).catch((failure) => {
        // A refused creation has created nothing. A group with the name would be somebody else's.
        if (failure instanceof Unexpected && Number(failure.status) < 500) group.isOwn = false;
        throw failure;
      });
      group.id = created.group?.uuid;
    });
    const name = group.name.replace(PREFIX, "archive-");
    return step("A database is created in the group.", () => createUndeclared(scene, name));
  }

  async function cleanUp(): Promise<void> {
    await stage.clear().catch(console.error);
    if (!group.isOwn) return;
    const text = "The group is deleted with everything in it.";
    say(text);
    const started = performance.now();
    const isDeleted = await deleteOwnGroup(platform, group);
    const failure = isDeleted ? {} : { failure: "the group is still there" };
    steps.push({ text, ...failure, milliseconds: performance.now() - started });
    if (isDeleted) return;
    group.databases = await liveDatabases(scene).catch(() => group.databases);
    console.error(`\n${whatStays(platform, group)}`);
  }

  // The failure is in the result.
  await play().catch(() => undefined);
  await cleanUp();
  if (!signal.aborted) await compareReads(["listDeletedGroups"]).catch(() => undefined);
  return { steps, reads };
}

/** Reads that show something only after the run has deleted a database, and its group. */
const LATE_READS: readonly Operation[] = ["listDeletedDatabases", "listDeletedGroups"];

/** Returns why a step failed, in words that have nothing of the organization. */
function reasonOf(failure: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `stopped after ${MOST_MINUTES} minutes`;
  return failure instanceof Unexpected ? failure.message : "failed";
}
