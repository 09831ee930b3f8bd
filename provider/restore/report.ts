import { readableInstant } from "../../kit/instant";
import { authorName } from "../client/messages";
import { jsonOutput, tableOutput } from "../command/output";
import type { ManagedObjects } from "../command/states";
import { typeTokenOf } from "../command/type-token";
import { database } from "../resources/database/database";
import { group } from "../resources/group/group";
import type { RestoreCandidate, RestoreChoice } from "./choice";
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

const resourceOf = ({ kind }: Pick<RestoreCandidate, "kind">) => (kind === "group" ? group : database);

const typeOf = (object: RestoreCandidate): string => resourceOf(object).type;

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
    .map((object) => `  ${refusedObject({ type: typeOf(object), ...object })}\n`)
    .join("");

function stepTable({ plan: { steps }, managed }: RestoreReport): string {
  const isRenamed = steps.some(({ newName }) => newName !== undefined);
  const rows = groupsFirst(steps).map((step) => [
    typeOf(step),
    step.name,
    ...(isRenamed ? [step.newName ?? ""] : []),
    step.id,
    step.group?.name ?? "",
    readableInstant(step.deletedAt),
    step.by ? authorName({ by: step.by }) : "",
    wayOf(step),
    ...(managed ? [stacksOf(step, managed).join(", ")] : []),
  ]);
  const heading = ["TYPE", "NAME", ...(isRenamed ? ["NEW NAME"] : []), "ID", "GROUP", "DELETED", "DELETED BY", "HOW"];
  return tableOutput([[...heading, ...(managed ? ["STACK"] : [])], ...rows]);
}

const wayOf = ({ through }: RestoreStep): string =>
  ({ group: COMES_WITH_GROUP, database: COMES_WITH_DATABASE, request: "" })[through];

/** Sorts objects so that the groups come first, each with its databases. */
function groupsFirst<Object extends RestoreCandidate>(objects: readonly Object[]): Object[] {
  const groups = new Map(objects.filter(({ kind }) => kind === "group").map((each) => [each.id, each]));
  const keyOf = ({ group: of, ...object }: RestoreCandidate): string => {
    const [id, name] = of ? [of.id, of.name] : [object.id, object.name];
    return [groups.has(id) ? 0 : 1, name, id, of ? 1 : 0, object.name, object.id].join("\n");
  };
  return objects.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Returns the names of the groups that come back. Their API tokens stay revoked. */
const groupsLosingTokens = ({ steps }: Plan): string[] =>
  steps
    .filter(({ kind }) => kind === "group")
    .map(({ name }) => name)
    .sort();

const stacksOf = (object: RestoreCandidate, managed: ManagedObjects): readonly string[] =>
  managed.stacksOf({ resource: resourceOf(object), id: object.id });

/**
 * Returns sentences that say in which stacks the preview is empty after a run, in which it is not, and that the command
 * does not know other stacks. Returns `undefined` if the run restored nothing.
 */
function stacksNote({ survey, plan, managed, outcomes }: RestoreReport): string | undefined {
  const isBack = ({ id }: RestoreCandidate) => isRestored(id, outcomes);
  const back = plan.steps.filter(isBack);
  if (back.length === 0) return undefined;
  if (managed === undefined) return DECLARED_UNKNOWN;
  const stacksWith = (objects: readonly RestoreCandidate[]) =>
    [...new Set(objects.flatMap((object) => stacksOf(object, managed)))].sort();
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
  const shown = (object: RestoreCandidate) => ({
    type: typeTokenOf(typeOf(object)),
    name: object.name,
    id: object.id,
    group: object.group,
    deletedAt: object.deletedAt,
    deletedBy: object.by?.author,
    stacks: managed && stacksOf(object, managed),
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
