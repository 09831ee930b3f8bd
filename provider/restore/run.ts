import { nounOf } from "../../kit/phrases";
import { isRefusal, Refusal, unlessRefused } from "../../kit/refusal";
import { inParallel } from "../in-parallel";
import { isGroup, type Thing } from "../inventory/things";
import type { PlatformContext } from "../platform";
import { retrieveLiveDatabase } from "../resources/database/live-databases";
import { retrieveLiveGroup } from "../resources/group/live-groups";
import { mayBeRestored } from "../resources/restoration";
import { objectStillDeleted } from "./messages";
import type { Plan, RestoreStep } from "./plan";

/** The outcome of a step: `undefined` if the object was restored, and otherwise the reason why it was not. */
export type RestoreOutcome = string | undefined;

interface Runner {
  readonly context: PlatformContext;
  /** Aborted to send no further request. */
  readonly signal: AbortSignal;
  /** Called with the outcome of each step. */
  readonly onOutcome: (step: RestoreStep, outcome: RestoreOutcome) => void;
}

/** The number of restorations at once. The client sends fewer if the platform asks for it. */
const AT_ONCE = 16;

/** After this many failures of the connection in a row, no further request is sent. */
const MOST_LOST = 5;

/** The results of a run so far. */
interface RunResults {
  readonly outcomes: Map<string, RestoreOutcome>;
  /** Ids of databases that the restoration of a group has brought back. */
  readonly back: Set<string>;
  /** Reasons why the restoration of a group has left out a database, by DbId. */
  readonly leftOut: Map<string, string>;
}

/**
 * Restores the objects of a plan. An object that somebody else has restored counts as restored. A failure ends only the
 * restoration of the object and of what needs it.
 *
 * @returns The outcomes by id. An object is missing if the run ended before its turn.
 * @throws Refusal if the API token is rejected, or the platform cannot be reached.
 */
export async function runPlan({ steps }: Plan, runner: Runner): Promise<ReadonlyMap<string, RestoreOutcome>> {
  const found: RunResults = { outcomes: new Map(), back: new Set(), leftOut: new Map() };
  const ended = new Map(steps.map(({ id }) => [id, Promise.withResolvers<void>()]));
  const record = (step: RestoreStep, outcome: RestoreOutcome) => {
    found.outcomes.set(step.id, outcome);
    runner.onOutcome(step, outcome);
  };
  let lost = 0;
  let stopped: unknown;
  const perform = async (step: RestoreStep) => {
    await Promise.all(step.after.map((id) => ended.get(id)?.promise));
    if (stopped !== undefined || runner.signal.aborted) return;
    try {
      await restoreStep(step, found, runner.context);
      lost = 0;
      record(step, undefined);
    } catch (failure) {
      if (!isRefusal(failure)) throw failure;
      if (failure.kind === "cancelled") return;
      lost = isRefusal(failure, "unavailable", "throttled") ? lost + 1 : 0;
      if (failure.kind === "unauthenticated" || lost >= MOST_LOST) stopped = failure;
      else record(step, failure.message);
    }
  };
  // A step never waits for one that has not begun, because every step follows those that it needs.
  await inParallel(steps, AT_ONCE, (step) => perform(step).finally(ended.get(step.id)?.resolve));
  if (stopped !== undefined) throw stopped;
  return found.outcomes;
}

async function restoreStep(step: RestoreStep, found: RunResults, context: PlatformContext): Promise<void> {
  if (!isGroup(step)) return restoreDatabase(step, found, context);
  if (step.through === "request") return restoreGroup(step.id, found, context);
  if (step.after.some((id) => isBack(id, found))) return;
  if (!(await retrieveLiveGroup(step.id, context))) throw failureOf(step);
}

async function restoreGroup(groupId: string, found: RunResults, context: PlatformContext): Promise<void> {
  try {
    const { databases, failures } = await context.platform.api.restoreGroup({ groupId });
    for (const { DbId } of databases) found.back.add(DbId);
    for (const [id, reason] of Object.entries(failures)) found.leftOut.set(id, reason);
  } catch (failure) {
    if (!(await isLiveNevertheless(failure, () => retrieveLiveGroup(groupId, context)))) throw failure;
  }
}

async function restoreDatabase(step: RestoreStep, found: RunResults, context: PlatformContext): Promise<void> {
  const { id, newName, container: group, after } = step;
  if (found.back.has(id)) return;
  const reason = newName === undefined ? found.leftOut.get(id) : undefined;
  if (reason !== undefined) throw new Refusal("conflict", { answer: reason });
  if (group && after.includes(group.id) && !isBack(group.id, found)) throw failureOf(group);
  try {
    await context.platform.api.restoreDatabase({ databaseId: id, ...(newName && { body: { name: newName } }) });
  } catch (failure) {
    if (!(await isLiveNevertheless(failure, () => retrieveLiveDatabase(id, context)))) throw failure;
  }
}

const isBack = (id: string, { outcomes }: RunResults): boolean => outcomes.has(id) && outcomes.get(id) === undefined;

const failureOf = ({ resource, name, id }: Thing): Refusal =>
  new Refusal("conflict", { answer: objectStillDeleted({ kind: nounOf(resource), name, id }) });

/** Returns whether an object is live although its restoration has failed. */
async function isLiveNevertheless(failure: unknown, retrieve: () => Promise<unknown>): Promise<boolean> {
  return mayBeRestored(failure) && (await retrieve().catch(unlessRefused)) !== undefined;
}
