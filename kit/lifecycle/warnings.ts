import type { ResourceContext } from "../context";
import type { AnyResource } from "../definition";
import { nounOf, titleOf } from "../phrases";
import { Refusal, unlessRefused } from "../refusal";
import { chosenNameArgument } from "./arguments";
import type { Compared } from "./compare";
import type { Context } from "./context";
import { notRestorableNow, operationImpossible, secretsRecordedOpenly } from "./messages";
import type { Properties, State } from "./properties";
import { isRecordedState, type Recordable, recordableSecrets } from "./recordable";
import { canBeRestoredUntil, restoredDespiteIgnored, stillDeleted } from "./restore/messages";
import {
  emptyBecauseLost,
  emptyByOption,
  emptyDespiteDeleted,
  emptyInsteadOfDeleted,
  nameRestored,
} from "./taken/messages";

/**
 * Warns that the new object will not have the data of the last one, and that a deleted object with the same name, or the
 * one that it replaces, could be restored instead.
 */
export async function warnOfNamesakes(
  resource: AnyResource,
  args: Properties,
  { platform, run }: Context,
  during: "preview" | "update",
): Promise<void> {
  const name = chosenNameArgument(args);
  if (!resource.softDeleted) return;
  const managed = run.resource(platform.urn);
  const replaced = managed.matched;
  const isSeeded = args.seed !== undefined;
  if (replaced?.state.deletedAt !== undefined) {
    if (replaced.state.name !== name) await warnOfReplacement(resource, replaced, platform, during);
  } else if (replaced && managed.manages?.id === replaced.id && run.inStack(resource.type, replaced.id))
    platform.warn(emptyByOption({ kind: nounOf(resource), title: managed.manages.title, id: replaced.id, isSeeded }));
  if (name === undefined) return;
  const kind = nounOf(resource);
  // The lookup is only needed for a warning, so its failure must not make the operation fail.
  const restorable = await resource.softDeleted.named?.(name, platform).catch(unlessRefused);
  if (during === "preview" && !isSeeded && restorable?.length === 0 && !managed.manages) {
    const lostAt = await resource.softDeleted.lost?.(name, platform);
    if (lostAt !== undefined) platform.warn(emptyBecauseLost({ kind, name, deletedAt: lostAt }));
  }
  for (const deleted of restorable ?? []) {
    const { id } = deleted;
    const object = run.object(resource.type, id);
    const given = object.name;
    const isRestoredToo =
      deleted.restoredWith !== undefined && run.restores(resource.inside?.type ?? "", deleted.restoredWith);
    if (given === name || (given === undefined && isRestoredToo))
      throw new Refusal("conflict", {
        tried: operationImpossible({ operation: "create", object: titleOf(resource, args) }),
        ...nameRestored({ kind, id, isReplaced: object.urnNow === platform.urn }),
      });
    if (given !== undefined || object.deleted) continue;
    const elsewhere = resource.softDeleted.renames ? "importElsewhere" : "renameFirst";
    const remedy = during === "preview" ? insteadOfCreating(resource, id, { platform, run }) : undefined;
    const restorable = await describeRestorability(resource, deleted.restorableUntil, platform);
    platform.warn(
      emptyDespiteDeleted({ kind, name, deleted: { ...deleted, restorable, isSeeded }, remedy: remedy ?? elsewhere }),
    );
  }
}

/** Warns that a new object with another name replaces a deleted object, because of the option `replaceOnChanges`. */
async function warnOfReplacement(
  resource: AnyResource,
  { id, state }: Compared,
  platform: ResourceContext,
  during: "preview" | "update",
): Promise<void> {
  const { restorableUntil } = state;
  const restorable = restorableUntil && (await describeRestorability(resource, restorableUntil, platform));
  const title = titleOf(resource, state);
  platform.warn(
    emptyInsteadOfDeleted({ kind: nounOf(resource), title, id, restorable, isPlanned: during === "preview" }),
  );
}

/** Returns how the program can restore the deleted object instead of creating a new one. */
function insteadOfCreating(
  { type }: AnyResource,
  id: string,
  { platform: { urn }, run }: Pick<Context, "platform" | "run">,
): "stopReplacing" | "undoChange" | "importHere" | { readonly alias: string } | undefined {
  const former = run.object(type, id).urnNow;
  if (former !== undefined) return former === urn ? "stopReplacing" : { alias: former };
  const replaced = run.resource(urn).manages;
  if (replaced?.id === id) return "undoChange";
  return replaced ? undefined : "importHere";
}

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

/** Warns that `ignoreChanges` prevents a restore, or that the object is restored nevertheless, with another object. */
export const warnOnceOfLeftDeleted = (resource: AnyResource, compared: Compared, context: Context): Promise<void> =>
  context.run.once(`left deleted ${resource.type} ${compared.id}`, () =>
    warnOfLeftDeleted(resource, compared, context),
  );

async function warnOfLeftDeleted(resource: AnyResource, { id, state }: Compared, { platform, run }: Context) {
  const other = resource.softDeleted?.alsoRestores?.(state);
  // The platform may still refuse a restore that is in progress.
  const isRestored = await run.restorations.lookAgain(
    async () => (other && run.restores(other.type, other.id)) || undefined,
  );
  if (other && isRestored) {
    platform.warn(restoredDespiteIgnored({ title: titleOf(resource, state), id, withTitle: titleOf(other, other) }));
    return;
  }
  const { restorableUntil } = state;
  const restorable = restorableUntil && (await describeRestorability(resource, restorableUntil, platform));
  platform.warn(stillDeleted({ kind: nounOf(resource), title: titleOf(resource, state), id, restorable }));
}

/**
 * Returns a warning if the live object that this update deletes cannot be restored. Returns the warning only once per
 * update, so that the deletion of a replaced object is not reported twice.
 */
export async function warningOfFinalDeletion(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: State },
  { platform, run }: Context,
): Promise<string | undefined> {
  const { softDeleted } = resource;
  if (!softDeleted || state.deletedAt !== undefined) return undefined;
  let warning: string | undefined;
  await run.once(`not restorable ${resource.type} ${id}`, async () => {
    // The lookup is only needed for the warning, so its failure must not make the operation fail.
    const reason = await softDeleted.unavailable?.(platform).catch(unlessRefused);
    if (reason !== undefined) warning = notRestorableNow({ title: titleOf(resource, state), id, reason });
  });
  return warning;
}

interface Changing {
  readonly id: string;
  readonly observed: State;
  readonly changes: Properties;
}

export async function warnOfConsequence(
  resource: AnyResource,
  { id, observed, changes }: Changing,
  { platform }: Context,
) {
  const consequence = await resource.consequence?.(id, changes, { ...platform, now: observed });
  if (consequence) platform.warn(consequence);
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
