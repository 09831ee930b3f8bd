import { readableInstant } from "../../kit/instant";
import { authorName } from "../client/messages";
import { jsonOutput, tableOutput } from "../command/output";
import type { ManagedObjects } from "../command/states";
import { typeTokenOf } from "../command/type-token";
import { type DeletedThing, isGroup } from "../inventory/things";
import type { RestoreChoice } from "./choice";
import {
  COMES_WITH_DATABASE,
  COMES_WITH_GROUP,
  DECLARED_UNKNOWN,
  declaredIn,
  nothingToRestore,
  notRestored,
  OTHER_STACKS,
  refusedObject,
  restorationPlan,
  restoredObjects,
  tokensLost,
} from "./messages";
import type { Plan, RefusedObject, RestoreStep } from "./plan";
import type { RestoreOutcome } from "./run";
import type { Survey } from "./survey";

export interface RestoreReport {
  readonly survey: Survey;
  readonly choice: RestoreChoice;
  readonly plan: Plan;
  /** The objects that stacks manage. Absent if the user passed no states. */
  readonly managed?: ManagedObjects | undefined;
  /** The outcomes of the steps, by id. Absent for a plan that was not run. */
  readonly outcomes?: ReadonlyMap<string, RestoreOutcome> | undefined;
}

const isoInstant = (ms: number): string => new Date(ms).toISOString();

/** Formats a plan as text: a table of what comes back, a sentence for each object that does not, and what is lost. */
export function planText(report: RestoreReport): string {
  const { survey, choice, plan } = report;
  const { organization } = survey;
  const { steps, refused } = plan;
  const [since, until] = [readableInstant(isoInstant(choice.since)), readableInstant(isoInstant(choice.until))];
  if (steps.length + refused.length === 0) return `${nothingToRestore({ organization, since, until })}\n`;
  const lost = groupsLosingTokens(plan);
  return [
    ...(steps.length === 0
      ? []
      : [`${restorationPlan({ count: steps.length, organization, since, until })}\n`, stepTable(report)]),
    ...(refused.length === 0 ? [] : [`${notRestored({ count: refused.length })}\n${refusedText(refused)}`]),
    ...(lost.length === 0 ? [] : [`${tokensLost({ groups: lost })}\n`]),
  ].join("\n");
}

const refusedText = (refused: readonly RefusedObject[]): string =>
  groupsFirst(refused)
    .map((object) => `  ${refusedObject({ type: object.resource.type, ...object })}\n`)
    .join("");

function stepTable({ plan: { steps }, managed }: RestoreReport): string {
  const isRenamed = steps.some(({ newName }) => newName !== undefined);
  const rows = groupsFirst(steps).map((step) => [
    step.resource.type,
    step.name,
    ...(isRenamed ? [step.newName ?? ""] : []),
    step.id,
    step.container?.name ?? "",
    readableInstant(step.deletedAt),
    step.by ? authorName({ by: step.by }) : "",
    wayOf(step),
    ...(managed ? [managed.stacksOf(step).join(", ")] : []),
  ]);
  const heading = ["TYPE", "NAME", ...(isRenamed ? ["NEW NAME"] : []), "ID", "GROUP", "DELETED", "DELETED BY", "HOW"];
  return tableOutput([[...heading, ...(managed ? ["STACK"] : [])], ...rows]);
}

const wayOf = ({ through }: RestoreStep): string =>
  ({ group: COMES_WITH_GROUP, database: COMES_WITH_DATABASE, request: "" })[through];

/** Sorts objects so that the groups come first, each with its databases. */
function groupsFirst<Object extends DeletedThing>(objects: readonly Object[]): Object[] {
  const groups = new Set(objects.filter(isGroup).map(({ id }) => id));
  const keyOf = (object: DeletedThing): string => {
    const { id, name } = object.container ?? object;
    return [groups.has(id) ? 0 : 1, name, id, object.container ? 1 : 0, object.name, object.id].join("\n");
  };
  return objects.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Returns the names of the groups that come back. Their API tokens stay revoked. */
const groupsLosingTokens = ({ steps }: Plan): string[] =>
  steps
    .filter(isGroup)
    .map(({ name }) => name)
    .sort();

/**
 * Returns sentences that say in which stacks the preview is empty after a run, in which it is not, and that the command
 * does not know other stacks. Returns `undefined` if the run restored nothing.
 */
function stacksNote({ survey, plan, managed, outcomes }: RestoreReport): string | undefined {
  const isBack = ({ id }: DeletedThing) => isRestored(id, outcomes);
  const back = plan.steps.filter(isBack);
  if (back.length === 0) return undefined;
  if (managed === undefined) return DECLARED_UNKNOWN;
  const stacksWith = (objects: readonly DeletedThing[]) => [...new Set(objects.flatMap(managed.stacksOf))].sort();
  const unfinished = stacksWith(survey.deleted.filter((object) => !isBack(object)));
  const complete = stacksWith(back).filter((stack) => !unfinished.includes(stack));
  return [
    ...(complete.length === 0 ? [] : [declaredIn({ stacks: complete, isStillDeleted: false })]),
    ...(unfinished.length === 0 ? [] : [declaredIn({ stacks: unfinished, isStillDeleted: true })]),
    OTHER_STACKS,
  ].join("\n");
}

const isRestored = (id: string, outcomes: RestoreReport["outcomes"]): boolean =>
  outcomes?.has(id) === true && outcomes.get(id) === undefined;

/** Formats a plan, and the outcomes of its steps, as JSON. */
export function reportJson({ survey, choice, plan, managed, outcomes }: RestoreReport): string {
  const shown = (object: DeletedThing) => ({
    type: typeTokenOf(object.resource.type),
    name: object.name,
    id: object.id,
    group: object.container && { id: object.container.id, name: object.container.name },
    deletedAt: object.deletedAt,
    deletedBy: object.by?.author,
    stacks: managed?.stacksOf(object),
  });
  return jsonOutput({
    organization: survey.organization,
    since: isoInstant(choice.since),
    until: isoInstant(choice.until),
    restores: groupsFirst(plan.steps).map((step) => ({
      ...shown(step),
      newName: step.newName,
      restoredWith: step.through === "request" ? undefined : step.through,
      ...(outcomes && { restored: isRestored(step.id, outcomes) }),
      failure: outcomes?.get(step.id),
    })),
    refused: groupsFirst(plan.refused).map((object) => ({ ...shown(object), reason: object.reason })),
    groupsWhoseTokensAreLost: groupsLosingTokens(plan),
  });
}

export function resultText(report: RestoreReport, failed: readonly RefusedObject[]): string {
  const count = (report.outcomes?.size ?? 0) - failed.length;
  const note = stacksNote(report);
  return [
    `\n${restoredObjects({ count, failed: failed.length })}\n`,
    failed.length === 0 ? "" : `${notRestored({ count: failed.length })}\n${refusedText(failed)}`,
    note === undefined ? "" : `${note}\n`,
  ].join("");
}
