import { Refusal, unlessForbidden } from "../../platform/client/refusal";
import type { AnyResource } from "../resource/definition";
import { firstFailure, type PreflightFailure } from "../resource/preflight";
import { chosenName } from "./check";
import { type Compared, changesInPlace, compare, isRestored } from "./compare";
import { assertSameOrganization, type Context } from "./context";
import {
  nameInUse,
  nameInUseBesideManaged,
  nameInUseByReplaced,
  nameInUseElsewhere,
  nameInUseInStack,
  nothingDeleted,
  operationImpossible,
  replacementLacksAccess,
  tokenLacksAccess,
} from "./messages";
import { isKnown, knownOf, nounOf, type Properties, titleOf, traitsOf } from "./properties";
import { restoreContradiction } from "./restore/messages";
import { warnLeftDeleted, warnOfConsequence } from "./warnings";

/**
 * Throws for a failure that affects every credential. Only warns about a failure of this credential, because previews
 * often run with weaker credentials.
 */
function assertNone(failure: PreflightFailure | undefined, tried: string, { platform }: Context): void {
  if (!failure) return;
  if (!failure.isOfCredential) throw new Refusal("conflict", { tried, answer: failure.reason });
  platform.warn(tokenLacksAccess(tried, failure.reason));
}

/**
 * Finds an argument that makes the creation fail.
 *
 * @param gone Id of the object that is deleted first.
 */
export async function creationFailure(
  resource: AnyResource,
  args: Properties,
  { platform }: Context,
  gone?: string,
): Promise<PreflightFailure | undefined> {
  return firstFailure(
    ...Object.entries(args).map(([property, value]) => async () => {
      const found = isGiven(value)
        ? await traitsOf(resource, property).semantics?.preflight?.(value, platform, gone)
        : undefined;
      return found && { ...found, reason: `${found.property}: ${found.reason}` };
    }),
  );
}

/**
 * Before a creation, refuses unusable arguments and replacements that Diff has found this credential unable to carry
 * out.
 */
export async function assertCreatable(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  assertNothingLacks(context);
  const failure = await creationFailure(resource, args, context);
  if (failure) throw new Refusal("invalid", { answer: failure.reason });
}

/** Before a replacement deletes the old object, refuses if the creation of the new object would fail (decision 112). */
export async function assertReplaceable(resource: AnyResource, context: Context): Promise<void> {
  assertNothingLacks(context);
  const { platform, session } = context;
  const wanted = session.inputsReplacing(platform.urn);
  const failure =
    wanted &&
    ((await creationFailure(resource, wanted, context)) ??
      (await resource.preflight?.create?.(knownOf(wanted), platform)));
  if (failure) throw new Refusal("conflict", { tried: nothingDeleted(nounOf(resource)), answer: failure.reason });
}

function assertNothingLacks({ session, platform }: Context): void {
  const lack = session.lackOf(platform.urn);
  // Not `forbidden`: the platform has refused nothing, so no reason is to be looked for.
  if (lack !== undefined) throw new Refusal("conflict", replacementLacksAccess(lack));
}

/** Refuses, in the preview of a creation, everything that would make `pulumi up` fail. */
export async function assertPlannable(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const { platform } = context;
  // Throws if the organization or the credential is wrong.
  await platform.organization.id(platform.client);
  const unusable = await creationFailure(resource, args, context);
  if (unusable && !unusable.isOfCredential) throw new Refusal("invalid", { answer: unusable.reason });
  const why = await context.session.restorations.lookAgain(async () =>
    resource.preflight?.create?.(knownOf(args), platform),
  );
  const failure = why && !why.isOfCredential ? why : (unusable ?? why);
  const lack = context.session.lackOf(platform.urn);
  if (failure) assertNone(failure, operationImpossible("create", thingOf(resource, args)), context);
  if (lack !== undefined && lack !== failure?.reason)
    assertNone(
      { reason: lack, isOfCredential: true },
      operationImpossible("replace", thingOf(resource, args)),
      context,
    );
  if (chosenName(args) !== undefined) await assertNameFree(resource, args, context);
}

/** Names the resource in a sentence: `database "orders"`, or `this database token`. */
const thingOf = (resource: AnyResource, args: Properties): string =>
  typeof args.name === "string" ? titleOf(resource, args) : `this ${nounOf(resource)}`;

async function assertNameFree(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const { platform, session } = context;
  const holder = await resource.named?.findByName({ name: String(args.name) }, platform, "run").catch(unlessForbidden);
  if (!holder) return;
  // A replacement that deletes first frees the name, and so does another resource that this run renames.
  const isOwn = session.managedUnder(platform.urn)?.id === holder.id;
  // In the preview of a replacement, the new name is recorded under the URN.
  const urn = session.urnOf(resource.type, holder.id);
  const given = platform.names.get(holder.id) ?? (urn === undefined ? undefined : platform.names.get(urn));
  if (isOwn || (given !== undefined && given !== args.name)) return;
  throw new Refusal("conflict", {
    tried: operationImpossible("create", titleOf(resource, args)),
    ...nameTaken(resource, args, holder.id, context),
  });
}

/**
 * Explains that a name is taken and how to adopt the object that has it, because the provider never adopts an object
 * silently.
 */
export function nameTaken(
  resource: AnyResource,
  args: Properties,
  id: string | undefined,
  { platform, session }: Context,
): { readonly answer: string; readonly advice: string } {
  const [kind, name] = [nounOf(resource), String(args.name)];
  if (id === undefined) return nameInUse(kind, name);
  const urn = session.urnOf(resource.type, id);
  if (urn === platform.urn) return nameInUseByReplaced(kind, name, id);
  if (urn !== undefined) return nameInUseInStack(kind, name, id, urn);
  const managed = session.managedUnder(platform.urn);
  // An import here would be refused because it would replace the object that the resource manages.
  return managed ? nameInUseBesideManaged(kind, name, id, managed) : nameInUseElsewhere(kind, name, id);
}

const isGiven = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null && isKnown(value);

/**
 * Refuses, with read requests only, an update that would fail, and reports effects beyond its changes. Returns whether
 * this credential can run the update.
 */
export async function assertUpdatable(resource: AnyResource, compared: Compared, context: Context): Promise<boolean> {
  const { id, state, news } = compared;
  if (state.deletedAt === undefined) return assertChangeable(resource, compared, context);
  if (!isRestored(compared)) {
    warnLeftDeleted(resource, compared, context);
    return false;
  }
  await assertSameOrganization(state, context);
  const why = await firstFailure(
    () => resource.restorable?.preflight(id, state, knownOf(news), context.platform),
    () => contradictionOf(resource, compared),
  );
  if (!why) return true;
  // An object that was restored in the meantime needs no check.
  if ((await resource.read(id, undefined, "platform", context.platform)).status === "live") return true;
  assertNone(why, operationImpossible("restore", `${titleOf(resource, state)} (${id})`), context);
  return false;
}

async function assertChangeable(resource: AnyResource, compared: Compared, context: Context): Promise<boolean> {
  const { id, state } = compared;
  const changes = changesInPlace(resource, compared);
  if (Object.keys(changes).length === 0 || !(resource.preflight?.update || resource.preflight?.consequence))
    return true;
  await assertSameOrganization(state, context);
  const why = await resource.preflight?.update?.(id, state, knownOf(changes), context.platform);
  assertNone(why, operationImpossible("update", `${titleOf(resource, state)} (${id})`), context);
  await warnOfConsequence(resource, { id, observed: state, changes: knownOf(changes) }, context);
  return !why;
}

/**
 * Finds a difference that prevents a restore: an object comes back with the properties it was deleted with, and few of
 * them can be changed during the restore.
 */
export function contradictionOf(resource: AnyResource, compared: Compared): PreflightFailure | undefined {
  const { state, news } = compared;
  const live = { ...state, deletedAt: undefined };
  for (const { property, replaces } of compare(resource, { ...compared, state: live })) {
    const isGivenAnew = property === "name" && resource.restorable?.renames;
    // A property that is missing in the record of a deleted object cannot contradict the program.
    if (!replaces || isGivenAnew || state[property] === undefined || !isKnown(news[property])) continue;
    return { reason: restoreContradiction({ property, is: state[property], wanted: news[property] }) };
  }
  return undefined;
}
