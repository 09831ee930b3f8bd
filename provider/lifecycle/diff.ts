import { unlessRefused } from "../../platform/client/refusal";
import type { AnyResource } from "../resource/definition";
import { type Compared, compare, type Difference, isIgnored, managed } from "./compare";
import { assertNotOtherOrganization, type Context } from "./context";
import { createOnlyIgnored } from "./create-only";
import { expiryOf } from "./expiry";
import { IMPORTED, nounOf, type Properties, titleOf, traitsOf } from "./properties";
import { planReplacement, type ReplacementPlan } from "./replace";
import { noteName, type UpdateSession } from "./session";

export interface Diff {
  readonly differences: readonly Difference[];
  /** The new object needs the name that the old one still has. */
  readonly deleteBeforeReplace: boolean;
}

/**
 * Compares the program with the platform, property by property. A replacement is decided on what is live, not on what is
 * recorded.
 *
 * @throws Refusal if the replacement would fail.
 */
export async function diff(resource: AnyResource, compared: Compared, context: Context): Promise<Diff> {
  const { platform, session } = context;
  await assertNotOtherOrganization(compared.state, context);
  noteState(resource, compared, context);
  const owner = deletedOwnerWarning(resource, context);
  const expiry = await expiryOf(resource, compared, platform);
  const { refusal, lack, ...plan } = await planDiff(resource, compared, expiry !== undefined, context);
  // The engine also compares before it has asked the program, which may no longer declare this resource.
  const isDeclared = session.isDeclared(platform.urn);
  for (const warning of [owner, isDeclared ? expiry : undefined, ...plan.warnings]) if (warning) platform.warn(warning);
  if (refusal) throw refusal;
  if (lack !== undefined) session.noteLack(platform.urn, lack);
  if (isDeclared && plan.differences.length === 0 && (await isThere(resource, compared, context)))
    session.noteKept(resource, compared.id, compared.state);
  return plan;
}

/** Compares without a request, and with the platform where the recorded state asks for a replacement. */
async function planDiff(
  resource: AnyResource,
  compared: Compared,
  isExpired: boolean,
  context: Context,
): Promise<ReplacementPlan> {
  const { session } = context;
  const ended = [
    ...(isExpired && resource.expiring ? [replaced(resource.expiring.at)] : []),
    // A group that is replaced under its own name takes with it what names the group by a literal.
    ...(resource.owned && session.hasDeletedOwnerOf(resource, compared.state) ? [replaced(resource.owned.id)] : []),
  ];
  const differences = [
    ...compare(resource, compared, session.names),
    ...appliedAgain(resource, compared, context),
    ...ended,
  ];
  if (differences.some(({ replaces }) => replaces))
    return planReplacement(resource, compared, { differences, ended }, context);
  return { differences, deleteBeforeReplace: false, warnings: createOnlyIgnored(resource, compared) };
}

/**
 * An object that the engine has not read may have been deleted by an interrupted replacement, or was recorded under
 * settings without such reads: then the platform is asked.
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

/** Only once every resource of the stack was read is it known whether one of them reports the deletion. */
function deletedOwnerWarning(resource: AnyResource, { platform, session }: Context): string | undefined {
  const owner = session.isDeclared(platform.urn) ? session.foreignDeletedOwnerOf(platform.urn) : undefined;
  return (
    owner &&
    `${owner.message} This ${nounOf(resource)} belongs to it. This stack does not manage ${owner.id}: restore it in the stack that does, or declare it here with the option \`import: "${owner.id}"\`.`
  );
}

/** What is a part of something that this run has restored is applied again, though it may look the same. */
export const isAppliedAgain = ({ owned }: AnyResource, state: Properties, { session }: Context): boolean =>
  owned?.isPart === true && session.hasRestored(state[owned.id]);

function appliedAgain(resource: AnyResource, compared: Compared, context: Context): Difference[] {
  if (!isAppliedAgain(resource, compared.state, context)) return [];
  const properties = Object.keys(managed(resource, compared));
  return properties.map((property) => ({ property, path: property, kind: "update", replaces: false }));
}

/** An import is remembered across runs, by a mark in the state: see `remove`. */
function noteState(resource: AnyResource, { id, state }: Compared, { platform: { urn }, session }: Context): void {
  if (state[IMPORTED] === true) {
    session.noteImported(urn, id);
    session.noteEarlierImport(resource, id, state.name);
  }
  if (state.deletedAt === undefined)
    session.noteManaged(urn, { type: resource.type, id, title: titleOf(resource, state) });
}

/**
 * Remembers the name that an update gives, or in a preview would give. What an update cannot change keeps the name that
 * it has: somebody else's may have the one in the program.
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
