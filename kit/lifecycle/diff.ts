import { unlessRefused } from "../refusal";
import type { AnyResource } from "../resource/definition";
import { type Compared, compare, type Difference, isIgnored, isRestored, managed } from "./compare";
import { assertNotOtherAccount, type Context } from "./context";
import { createOnlyChangeWarnings } from "./create-only";
import { authorMessages } from "./drift/drift";
import { judgeKept } from "./drift/kept";
import { expiryOf } from "./expiry";
import { withReplacePermissions } from "./permissions";
import { IMPORTED, nounOf, ownerIdOf, type Properties, thingOf, titleOf, traitsOf } from "./properties";
import { planReplacement, type ReplacementPlan } from "./replace";
import { ownerDeleted } from "./restore/messages";
import { noteName, type UpdateSession } from "./session";
import { noteManagedSettings, noteSettings } from "./settings-left";
import { notRestorableWarning, warnLeftDeleted } from "./warnings";

export interface Diff {
  readonly differences: readonly Difference[];
  /** Whether to delete the old object first, because the new object needs its name. */
  readonly deleteBeforeReplace: boolean;
}

/**
 * Compares the program with the platform, property by property. The live object, not the recorded state, decides
 * whether a replacement is needed.
 *
 * @throws Refusal if the replacement would fail.
 */
export async function diff(resource: AnyResource, compared: Compared, context: Context): Promise<Diff> {
  const { platform, session } = context;
  await assertNotOtherAccount(compared.state, context);
  noteState(resource, compared, context);
  const owner = deletedOwnerWarning(resource, compared, context);
  const expiry = await expiryOf(resource, compared, context);
  const planned = await planDiff(resource, compared, expiry !== undefined, context);
  const { refusal, lack, deletes, deleteBeforeReplace } = planned;
  const replaces = planned.differences.some((difference) => difference.replaces);
  session.noteMatched(platform.urn, replaces ? undefined : compared);
  const { differences, warnings: kept } = await judgeKept(resource, compared, planned.differences, context);
  const notRestorable = deletes && !refusal ? await notRestorableWarning(resource, compared, context) : undefined;
  // The engine also calls Diff before it runs the program, so it is not certain yet that the program still declares the
  // resource.
  const isDeclared = session.isDeclared(platform.urn);
  for (const warning of [owner, ...(isDeclared ? [expiry, ...kept] : []), ...planned.warnings, notRestorable])
    if (warning) platform.warn(warning);
  if (isDeclared && compared.state.deletedAt !== undefined && !isRestored(compared))
    await warnLeftDeleted(resource, compared, context);
  if (refusal) throw refusal;
  noteSettings(resource, { id: compared.id, inputs: compared.oldInputs, state: compared.state }, context);
  if (isDeclared) await noteManagedSettings(resource, compared, replaces, context);
  if (isDeclared)
    for (const message of await authorMessages(resource, compared.id, differences, context)) platform.warn(message);
  if (lack !== undefined) session.noteLack(platform.urn, { reason: lack, replaced: thingOf(resource, compared.state) });
  if (isDeclared && differences.length === 0 && (await isThere(resource, compared, context)))
    session.noteKept(resource, compared.id, compared.state);
  return { differences, deleteBeforeReplace };
}

/**
 * Compares the program with the recorded state. If a replacement seems necessary, also reads the object from the
 * platform.
 */
async function planDiff(
  resource: AnyResource,
  compared: Compared,
  isExpired: boolean,
  context: Context,
): Promise<ReplacementPlan> {
  const { session } = context;
  const ended = [
    ...(isExpired && resource.expiring ? [replaced(resource.expiring.at)] : []),
    // If a group is replaced and keeps its name, everything in the group is deleted too. Resources that refer to the
    // group by a literal name must then also be replaced.
    ...(resource.owned && session.hasDeletedOwnerOf(resource, compared.state) ? [replaced(resource.owned.id)] : []),
  ];
  const differences = [
    ...compare(resource, compared, session.names),
    ...appliedAgain(resource, compared, context),
    ...ended,
  ];
  if (differences.some(({ replaces }) => replaces))
    return withReplacePermissions(resource, compared.news, context, () =>
      planReplacement(resource, compared, { differences, ended }, context),
    );
  return { differences, deleteBeforeReplace: false, warnings: createOnlyChangeWarnings(resource, compared) };
}

/**
 * Returns whether the object still exists. Sends a request only if an interrupted replacement may have deleted the
 * object. Otherwise, the object is assumed to exist.
 */
async function isThere(
  resource: AnyResource,
  { id, state }: Compared,
  { platform, session }: Context,
): Promise<boolean> {
  if (!session.isPendingReplacement(resource, id)) return true;
  const reading = await resource.read(id, state, "snapshot", platform).catch(unlessRefused);
  return reading?.status === "live";
}

const replaced = (property: string): Difference => ({ property, path: property, kind: "update", replaces: true });

/**
 * Returns a warning if the group or database to which the resource belongs is deleted. Returns `undefined` if the stack
 * manages that group or database, because reading it already reports the deletion. Also returns `undefined` until the
 * program has declared the resource, because the engine may not have read the group or database yet.
 */
function deletedOwnerWarning(
  resource: AnyResource,
  { id }: Compared,
  { platform, session }: Context,
): string | undefined {
  // With an alias, the engine has read the object under another URN.
  const urn = session.urnInStack(resource.type, id) ?? platform.urn;
  const owner = session.isDeclared(platform.urn) ? session.foreignDeletedOwnerOf(urn) : undefined;
  return owner && ownerDeleted(nounOf(resource), { ...owner, kind: nounOf(owner) });
}

/**
 * Returns whether the resource is part of an object that this update has restored, such as the configuration of a
 * restored database. The program's properties must then be applied again, even if the resource looks unchanged.
 */
export const isAppliedAgain = (resource: AnyResource, state: Properties, { session }: Context): boolean =>
  resource.owned?.isPart === true && session.hasRestored(resource.owned.type, ownerIdOf(resource, state));

function appliedAgain(resource: AnyResource, compared: Compared, context: Context): Difference[] {
  if (!isAppliedAgain(resource, compared.state, context)) return [];
  const properties = Object.keys(managed(resource, compared));
  return properties.map((property) => ({ property, path: property, kind: "update", replaces: false }));
}

/** Records which object the resource manages, and whether an earlier update imported that object (see `remove`). */
function noteState(resource: AnyResource, { id, state }: Compared, { platform: { urn }, session }: Context): void {
  if (state[IMPORTED] === true) {
    session.imports.noteManaged(urn, id);
    session.imports.noteEarlier(resource, id, state.name);
  }
  if (state.deletedAt === undefined)
    session.noteManaged(urn, { type: resource.type, id, title: titleOf(resource, state) });
}

/**
 * Records the name that the object will have after the update. If the update cannot change the name, records the
 * current name, because the name in the program may belong to another object.
 */
export function noteGivenName(
  resource: AnyResource,
  { id, state, news, ignored }: Compared,
  session: UpdateSession,
): void {
  if (!resource.named) return;
  const restored = state.deletedAt !== undefined;
  const isKept = traitsOf(resource, "name").requiresReplace && !(restored && resource.restorable?.renames);
  const given = isIgnored("name", ignored) || isKept ? state.name : news.name;
  if (restored || given !== state.name) noteName(resource, id, { name: given }, session);
}
