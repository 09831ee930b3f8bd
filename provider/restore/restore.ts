import { RECOVERY_WINDOW_MS } from "../../platform/contract/recovery";
import { shellWord } from "../../platform/values/shell";
import { EXIT_WITH_FINDINGS } from "../command/output";
import type { ManagedObjects } from "../command/states";
import type { PlatformContext } from "../platform";
import type { RestoreChoice } from "./choice";
import { EMPTY_WINDOW, ifInterrupted, restorableOnly, runAgain, runToRestore } from "./messages";
import { planRestoration, type RefusedObject } from "./plan";
import { type CommandOutput, RestoreProgress } from "./progress";
import { planText, type RestoreReport, reportJson, resultText } from "./report";
import { runPlan } from "./run";
import { takeSurvey } from "./survey";

/** A duration in milliseconds before the platform's present time, or an instant (RFC 3339). */
export type Moment = { readonly ago: number } | { readonly at: string };

export interface RestoreOptions extends Pick<RestoreChoice, "group" | "name" | "by" | "rename"> {
  readonly since: Moment;
  readonly until?: Moment;
  /** Restore, and not only print the plan. */
  readonly yes?: true;
  readonly json?: true;
}

/**
 * Prints what the options choose, and restores it if they say so.
 *
 * @param managed The objects that stacks manage; `undefined` if the user passed no states.
 * @param signal Aborted to send no further request.
 * @returns The exit code.
 */
export async function planAndRestore(
  options: RestoreOptions,
  managed: ManagedObjects | undefined,
  { context, signal, ...output }: { readonly context: PlatformContext; readonly signal: AbortSignal } & CommandOutput,
): Promise<number> {
  const { organization, clock } = context.platform;
  // The first response sets the clock.
  await organization.id();
  const now = clock.now();
  // Whole seconds, so that the window can be shown and repeated exactly.
  const timeOf = (moment: Moment) =>
    "ago" in moment ? Math.floor((now - moment.ago) / 1000) * 1000 : Date.parse(moment.at);
  const { group, name, by, rename } = options;
  const choice = { since: timeOf(options.since), until: timeOf(options.until ?? { ago: 0 }), group, name, by, rename };
  if (choice.until < choice.since) throw new Error(EMPTY_WINDOW);
  // The platform's clock shows whole seconds, so an object may seem to be deleted up to a second later.
  if (options.until === undefined) choice.until += 1000;
  const survey = await takeSurvey(choice, context);
  const plan = planRestoration(survey, choice);
  const report: RestoreReport = { survey, choice, plan, managed };
  if (!options.json) output.out(planText(report));
  if (survey.unlisted !== undefined) output.error(`${survey.unlisted}\n`);
  const oldest = new Date(now - RECOVERY_WINDOW_MS);
  if (choice.since < oldest.getTime()) output.error(`${restorableOnly({ since: oldest.toISOString() })}\n`);
  const given = () => optionsToRestoreAgain(options, choice);
  if (!options.yes || plan.steps.length === 0) {
    if (options.json) output.out(reportJson(report));
    else if (plan.steps.length > 0) output.out(`\n${runToRestore({ options: given() })}\n`);
    return plan.refused.length === 0 ? 0 : EXIT_WITH_FINDINGS;
  }
  output.error(`${ifInterrupted({ options: given() })}\n`);
  const progress = new RestoreProgress(plan.steps.length, output);
  const onOutcome = (_: unknown, outcome: string | undefined) => progress.add(outcome === undefined);
  const outcomes = await runPlan(plan, { context, signal, onOutcome }).catch((failure: unknown) => {
    progress.end();
    output.error(`${runAgain({ options: given() })}\n`);
    throw failure;
  });
  progress.end();
  const done = { ...report, outcomes };
  const failed = plan.steps.flatMap((step): RefusedObject[] => {
    const reason = outcomes.get(step.id);
    return reason === undefined ? [] : [{ ...step, reason }];
  });
  if (options.json) output.out(reportJson(done));
  else output.out(resultText(done, failed));
  if (outcomes.size < plan.steps.length) {
    output.error(`${runAgain({ options: given() })}\n`);
    return 1;
  }
  return plan.refused.length + failed.length === 0 ? 0 : EXIT_WITH_FINDINGS;
}

/** Returns the options that choose the same objects at any later time, because their instants are absolute. */
function optionsToRestoreAgain({ group, name, by, rename }: RestoreOptions, { since, until }: RestoreChoice): string {
  const given = { group, name, by, rename };
  const instants = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  return Object.entries({ ...instants, ...given })
    .flatMap(([option, value]) => (value === undefined ? [] : [`--${option} ${shellWord(value)}`]))
    .join(" ");
}
