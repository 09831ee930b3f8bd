import { Refusal } from "../../platform/client/refusal";
import { canonicalUuid } from "../../platform/values/uuid";
import type { AnyResource } from "../resource/definition";
import { firstFailure } from "../resource/preflight";
import { filledInBefore, isGeneratedName } from "./check";
import { type Compared, compare, type Difference } from "./compare";
import { assertSameOrganization, type Context } from "./context";
import { createOnlyReuseWarnings } from "./create-only";
import {
  operationImpossible,
  RESTORE_BEFORE_REPLACEMENT,
  replacementByImport,
  replacementImpossible,
} from "./messages";
import { creationFailure } from "./preflight";
import { isKnown, knownOf, nounOf, type Properties, titleOf } from "./properties";
import { importContradiction } from "./restore/messages";
import type { UpdateSession } from "./session";

/** The outcome of a comparison. Computing a plan reads from the platform but neither warns nor records anything. */
export interface ReplacementPlan {
  readonly differences: readonly Difference[];
  readonly deleteBeforeReplace: boolean;
  readonly warnings: readonly string[];
  /** Why the replacement would fail with any credential. */
  readonly refusal?: Refusal;
  /** Why the replacement would fail with this credential. The preview warns; the update refuses. */
  readonly lack?: string;
}

interface Recorded {
  /** Differences from the recorded state. */
  readonly differences: readonly Difference[];
  /** Differences that only a replacement removes, whatever the live object looks like. */
  readonly ended: readonly Difference[];
}

/**
 * Plans a replacement from the live object, and checks whether the old object could be deleted and the new one created.
 */
export async function planReplacement(
  resource: AnyResource,
  compared: Compared,
  recorded: Recorded,
  context: Context,
): Promise<ReplacementPlan> {
  const { platform, session } = context;
  const { id, state, news } = compared;
  await assertSameOrganization(state, context);
  const reading = await resource.read(id, state, "platform", platform);
  const isPending = reading.status === "deleted" && session.isPendingReplacement(resource, id);
  if (reading.status === "absent" || isPending)
    return { differences: recorded.differences, deleteBeforeReplace: false, warnings: [] };

  const live = { ...compared, state: { ...state, ...reading.state } };
  const differences = [...compare(resource, live, session.names), ...recorded.ended];
  const replaces = differences.some((difference) => difference.replaces);
  const plan = { differences, deleteBeforeReplace: replaces && keepsName(resource, live), warnings: [] };
  if (reading.status === "deleted") return { ...plan, refusal: restoredFirst(reading.message) };
  const refusal = newImportReplaced(resource, live, differences, context) ?? moveByImport(resource, live, context);
  if (refusal) return { ...plan, refusal };
  // Values that are still unknown may turn out to be unchanged.
  if (!differences.some((difference) => difference.replaces && isKnown(news[difference.property]))) return plan;
  const { delete: deletion, create: creation } = resource.preflight ?? {};
  const failure = await session.restorations.lookAgain(() =>
    firstFailure(
      () => deletion?.(id, reading.state, platform),
      () => creation?.(knownOf(news), platform),
      () => creationFailure(resource, news, context, plan.deleteBeforeReplace ? id : undefined),
    ),
  );
  const warnings = createOnlyReuseWarnings(resource, compared);
  if (!failure) return { ...plan, warnings };
  return failure.isOfCredential
    ? { ...plan, warnings, lack: failure.reason }
    : { ...plan, refusal: new Refusal("conflict", { answer: replacementImpossible(failure.reason) }) };
}

/**
 * Returns whether the new object keeps the old name. A generated name changes with a replacement; any other name is
 * still taken.
 */
const keepsName = ({ named }: AnyResource, { news, state }: Compared): boolean =>
  named !== undefined && !filledInBefore(news, "name") && news.name === state.name;

/** @param message The deletion, in complete sentences. */
const restoredFirst = (message: string): Refusal =>
  new Refusal("conflict", { answer: `${message} ${RESTORE_BEFORE_REPLACEMENT}` });

/** Refuses a new import that would replace the imported object. */
function newImportReplaced(
  resource: AnyResource,
  { id, state, news }: Compared,
  differences: readonly Difference[],
  { session }: Context,
): Refusal | undefined {
  const found = differences.find(({ replaces, property }) => replaces && isKnown(news[property]));
  if (!found || !session.newImportsOf(resource).has(id)) return undefined;
  const { property } = found;
  const difference = { property, is: state[property], wanted: news[property] };
  return new Refusal("conflict", importContradiction(titleOf(resource, state), id, difference));
}

/**
 * Refuses a replacement that may come from an import over the owner, in this update or an earlier one. Without reads
 * before the program runs, such an import looks the same as a move to another owner, and the move deletes the object.
 * Only restorable types hold data and need this check.
 */
function moveByImport(resource: AnyResource, { id, state, news }: Compared, { session }: Context): Refusal | undefined {
  const owner = resource.owned;
  if (!owner || !resource.restorable) return undefined;
  if (session.isInStack(resource.type, id)) return undefined;
  const from = state[owner.id];
  const [property, to] = importedOwner(resource, news, session) ?? [];
  if (property === undefined || to === from) return undefined;
  return new Refusal("conflict", {
    tried: operationImpossible("replace", `${titleOf(resource, state)} (${id})`),
    ...replacementByImport(nounOf(resource), { kind: nounOf(owner), from: String(from), to: String(to) }, property),
  });
}

/** Finds the argument that refers to an imported owner, by id or by name, and the id of that owner. */
function importedOwner(
  resource: AnyResource,
  news: Properties,
  session: UpdateSession,
): readonly [property: string, id: string] | undefined {
  for (const [id, name] of resource.owned ? session.importsOf(resource.owned) : []) {
    const found = Object.entries(news).find(
      ([property, value]) =>
        !isGeneratedName(resource, property) &&
        typeof value === "string" &&
        (canonicalUuid(value) === id || value === name || value === session.names.get(id)),
    );
    if (found) return [found[0], id];
  }
  return undefined;
}
