import type { ResourceContext } from "../context";
import type { AnyResource } from "../definition";
import { nounOf, titleOf } from "../phrases";
import { unlessRefused } from "../refusal";
import type { Comparison, Difference } from "./comparison";
import type { Context } from "./context";
import { firstSinceImport, notRestorableNow, secretsRecordedOpenly } from "./messages";
import type { Properties, State } from "./properties";
import { isRecordedState, type Recordable, recordableSecrets } from "./recordable";
import { canBeRestoredUntil, restoredDespiteIgnored, stillDeleted } from "./restore/messages";

/** Returns a text that says until when a deleted object can be restored, and why it cannot be restored at present. */
export async function describeRestorability(
  { softDeleted }: AnyResource,
  restorableUntil: string,
  platform: ResourceContext,
): Promise<string> {
  // The lookup only completes a message, so its failure must not make the operation fail.
  return canBeRestoredUntil({
    restorableUntil,
    obstacle: await softDeleted?.unavailable?.(platform).catch(unlessRefused),
  });
}

/**
 * Returns whether the preview of this command has already reported the deletion, and that `pulumi up` restores the
 * object.
 */
export const isRestorationAnnounced = ({ type }: AnyResource, id: string, { run }: Context): boolean =>
  run.announced.has(`${type} ${id}`);

/** Warns that `ignoreChanges` prevents a restore, or that the object is restored nevertheless, with another object. */
export const warnOnceOfLeftDeleted = (comparison: Comparison, context: Context): Promise<void> =>
  context.run.once(`left deleted ${comparison.resource.type} ${comparison.id}`, () =>
    warnOfLeftDeleted(comparison, context),
  );

async function warnOfLeftDeleted({ resource, id, state }: Comparison, { platform, run }: Context) {
  const other = resource.softDeleted?.alsoRestores?.(state);
  // The platform may still refuse a restore that is in progress.
  const isRestored = await run.restorations.stillFinds(async () => (other && run.restoresWith(other)) || undefined);
  if (other && isRestored) {
    platform.warn(
      restoredDespiteIgnored({ title: titleOf(resource, state), id, withTitle: titleOf(other, { name: other.name }) }),
    );
    return;
  }
  const { restorableUntil } = state;
  const restorable = restorableUntil && (await describeRestorability(resource, restorableUntil, platform));
  platform.warn(stillDeleted({ kind: nounOf(resource), title: titleOf(resource, state), id, restorable }));
}

/**
 * Returns a warning if the live object that this update deletes cannot be restored. Returns the warning only once per
 * update, so that the deletion of a replaced object is not reported twice.
 *
 * @param isPlanned Whether the engine may still keep the object, because of an option that only it knows.
 */
export async function warningOfFinalDeletion(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: State },
  { platform, run }: Context,
  { isPlanned }: { readonly isPlanned: boolean } = { isPlanned: false },
): Promise<string | undefined> {
  const { softDeleted } = resource;
  if (!softDeleted || state.deletedAt !== undefined) return undefined;
  // The lookup is only needed for the warning, so its failure must not make the operation fail.
  const reason = await softDeleted.unavailable?.(platform).catch(unlessRefused);
  if (reason === undefined || run.count(`not restorable ${resource.type} ${id}`) > 1) return undefined;
  return notRestorableNow({ title: titleOf(resource, state), id, reason, isPlanned });
}

interface Changing {
  readonly id: string;
  readonly observed: State;
  readonly changes: Properties;
  readonly inputs: Properties;
}

export async function warnOfConsequence(
  resource: AnyResource,
  { id, observed, changes, inputs }: Changing,
  { platform }: Context,
) {
  const consequence = await resource.consequence?.(id, changes, { ...platform, now: observed, inputs });
  if (consequence) platform.warn(consequence);
  for (const warning of valueWarnings(resource, changes)) platform.warn(warning);
}

/** Returns the warnings about a new object: of each trigger, that its first value is only recorded, and of its values. */
export const creationWarnings = (resource: AnyResource, args: Properties): string[] => [
  ...resource.properties.inputs.flatMap((property) => property.atFirst(!property.isDefault(args[property.name])) ?? []),
  ...valueWarnings(resource, args),
];

const valueWarnings = (resource: AnyResource, values: Properties): ReadonlySet<string> =>
  new Set(Object.entries(values).flatMap(([name, value]) => resource.properties.get(name).warnings(value)));

/** Returns warnings about properties that act when they change, and that this update sets for the first time. */
export function firstValueWarnings(
  comparison: Comparison,
  differences: readonly Difference[],
  { run }: Context,
): string[] {
  const { resource, id, state } = comparison;
  // An import is not expected to act.
  if (run.imports.has(run.object(resource.type, id))) return [];
  const properties = [...new Set(differences.map(({ property }) => property))];
  return properties.flatMap((property) => {
    const { name } = property;
    if (property.kind === "trigger") return property.isDefault(state[name]) ? (property.atFirst(true) ?? []) : [];
    return property.isUnsetSinceImport(comparison) && property.onChange === "replace"
      ? [firstSinceImport({ property: name, title: titleOf(resource, state), id })]
      : [];
  });
}

/** Warns of properties that the state contains in plain text, although the provider never records them so. */
export function warnOfOpenSecrets(
  resource: AnyResource,
  { id, state }: Recordable,
  secrets: ReadonlySet<string>,
  context: Pick<Context, "platform" | "run" | "home">,
): void {
  if (!isRecordedState(state, context)) return;
  const properties = recordableSecrets(resource, state).filter((property) => !secrets.has(property));
  if (properties.length === 0) return;
  const title = titleOf(resource, state);
  void context.run.once(`open ${resource.type} ${id}`, async () =>
    context.platform.warn(secretsRecordedOpenly({ title, id, properties })),
  );
}
