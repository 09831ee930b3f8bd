import { Refusal } from "../../platform/client/refusal";
import type { AnyResource } from "../resource/definition";
import { firstFailure } from "../resource/preflight";
import { filledInBefore } from "./check";
import { type Compared, compare, type Difference, isIgnored, managed } from "./compare";
import { type Context, mustBeSameOrganization, mustNotBeOfAnotherOrganization } from "./context";
import { warnUsedAgain, warnWithoutEffect } from "./create-only";
import { expiryOf } from "./expiry";
import { creationFailure } from "./preflight";
import { IMPORTED, isKnown, knownOf, nounOf, type Properties, titleOf, traitsOf } from "./properties";
import { noteName, type UpdateSession } from "./session";

export interface Diff {
  readonly differences: readonly Difference[];
  /** The new object needs what the old one still holds. */
  readonly deleteBeforeReplace: boolean;
}

/**
 * What the platform has that the program does not want, property by property. A replacement is decided on what is live,
 * not on what is remembered, and refused when the old object could not be deleted.
 */
export async function diff(resource: AnyResource, compared: Compared, context: Context): Promise<Diff> {
  const { platform, session } = context;
  await mustNotBeOfAnotherOrganization(compared.state, context);
  noteState(resource, compared, context);
  warnOfDeletedOwner(resource, context);
  const ended = [
    ...(await replacedAtItsEnd(resource, compared, context)),
    ...replacedWithOwner(resource, compared, context),
  ];
  const remembered = [
    ...compare(resource, compared, session.names),
    ...appliedAgain(resource, compared, context),
    ...ended,
  ];
  if (!remembered.some(({ replaces }) => replaces)) {
    warnWithoutEffect(resource, compared, platform);
    // Reads before an update compare too, also what the program does not declare any more.
    const isKept = session.isDeclared(platform.urn) && !session.isPendingReplacement(resource, compared.id);
    if (remembered.length === 0 && isKept) session.noteKept(resource, compared.id, compared.state);
    return { differences: remembered, deleteBeforeReplace: false };
  }

  await mustBeSameOrganization(compared.state, context);
  const reading = await resource.read(compared.id, compared.state, "platform", platform);
  if (reading.status === "absent") return { differences: remembered, deleteBeforeReplace: false };
  const live = { ...compared, state: { ...compared.state, ...reading.state } };
  const differences = [...compare(resource, live, session.names), ...ended];
  const replaces = differences.some((difference) => difference.replaces);
  const deleteBeforeReplace = replaces && keepsName(resource, compared, reading.state);
  if (reading.status === "deleted" && session.isPendingReplacement(resource, compared.id))
    return { differences: remembered, deleteBeforeReplace: false };
  if (reading.status === "deleted")
    throw new Refusal("conflict", {
      answer: reading.message,
      advice:
        "The program also makes a change that replaces this resource. Run `pulumi up --refresh` without that change first",
    });
  const contradiction = differences.find(({ replaces, property }) => replaces && isKnown(compared.news[property]));
  if (contradiction && session.newImportsOf(resource).has(compared.id)) {
    const is = `${contradiction.property}: ${JSON.stringify(reading.state[contradiction.property])}`;
    throw new Refusal("conflict", {
      answer: `${titleOf(resource, reading.state)} (${compared.id}) is imported with ${is}, and the program says ${JSON.stringify(compared.news[contradiction.property])}`,
      advice: `Write ${is}`,
    });
  }
  assertNotMovedByImport(resource, { ...compared, state: reading.state }, context);
  // What is not known yet may turn out to be no change at all.
  if (differences.some((difference) => difference.replaces && isKnown(compared.news[difference.property]))) {
    const { delete: deletion, create: creation } = resource.preflight ?? {};
    const why = await session.unlessRestored(() =>
      firstFailure(
        () => deletion?.(compared.id, reading.state, platform),
        () => creation?.(knownOf(compared.news), platform),
        () => creationFailure(resource, compared.news, context, deleteBeforeReplace ? compared.id : undefined),
      ),
    );
    // Whether this is a preview is not known here (decision 94).
    if (why?.isOfCredential) session.noteLack(platform.urn, why.reason);
    else if (why) throw new Refusal("conflict", { answer: `the change replaces this resource, and ${why.reason}` });
    warnUsedAgain(resource, compared, platform);
  }
  return { differences, deleteBeforeReplace };
}

/**
 * Without a read before the program runs, an import over an owner cannot be told from a move to another owner, and the
 * move deletes what the owner holds.
 */
function assertNotMovedByImport(resource: AnyResource, { id, state, news }: Compared, { session }: Context): void {
  const { owner } = resource;
  if (!owner || session.readsFirst) return;
  const imported = session.newImportsOf(owner);
  const [property, to] = Object.entries(news).find(([, value]) => imported.has(String(value))) ?? [];
  const from = state[owner.id];
  if (property === undefined || to === from) return;
  const kind = owner.type.toLowerCase();
  throw new Refusal("conflict", {
    tried: `cannot replace ${titleOf(resource, state)} (${id})`,
    answer: `it is in ${kind} ${from}, this update imports ${kind} ${to}, and an import must not delete anything`,
    advice: `To keep it, set ${property}: "${from}". To replace it in ${kind} ${to}, import that ${kind} in an update of its own first`,
  });
}

/** Only once every resource of the stack was read is it known whether one of them reports the deletion. */
function warnOfDeletedOwner(resource: AnyResource, { platform, session }: Context): void {
  const owner = session.isDeclared(platform.urn) ? session.foreignDeletedOwnerOf(platform.urn) : undefined;
  if (owner)
    platform.warn(
      `${owner.message} This ${nounOf(resource)} belongs to it. This stack does not manage ${owner.id}: restore it in the stack that does, or declare it here with the option \`import: "${owner.id}"\`.`,
    );
}

/**
 * What is a part of something that this run has restored is applied again, though it may look the same (decision 80).
 */
export const isAppliedAgain = ({ partOf }: AnyResource, state: Properties, { session }: Context): boolean =>
  partOf !== undefined && session.hasRestored(state[partOf]);

function appliedAgain(resource: AnyResource, compared: Compared, context: Context): Difference[] {
  if (!isAppliedAgain(resource, compared.state, context)) return [];
  const properties = Object.keys(managed(resource, compared));
  return properties.map((property) => ({ property, path: property, kind: "update", replaces: false }));
}

/** An import is remembered across runs, by a mark in the state: see `remove`. */
function noteState(resource: AnyResource, { id, state }: Compared, { platform: { urn }, session }: Context): void {
  if (state[IMPORTED] === true) session.noteImported(urn, id);
  if (state.deletedAt === undefined)
    session.noteManaged(urn, { type: resource.type, id, title: titleOf(resource, state) });
}

async function replacedAtItsEnd(resource: AnyResource, compared: Compared, context: Context): Promise<Difference[]> {
  const { ends } = resource;
  const end = ends && (await expiryOf(resource, compared, context.platform));
  if (!end) return [];
  // The engine also compares before it has asked the program, which may declare this resource otherwise or no more.
  if (context.session.isDeclared(context.platform.urn)) context.platform.warn(end);
  return [{ property: ends.at, path: ends.at, kind: "update", replaces: true }];
}

/** A group that is replaced under its own name takes with it what names the group by a literal. */
function replacedWithOwner(resource: AnyResource, { state }: Compared, { session }: Context): Difference[] {
  const { owner } = resource;
  if (!owner || !session.hasDeletedOwnerOf(resource, state)) return [];
  return [{ property: owner.id, path: owner.id, kind: "update", replaces: true }];
}

/** A name that was made from the logical name is made anew for the replacement; any other one is still taken. */
function keepsName(resource: AnyResource, { news }: Compared, state: Properties): boolean {
  return Object.keys(resource.args.shape).some(
    (property) =>
      traitsOf(resource, property).named && !filledInBefore(news, property) && news[property] === state[property],
  );
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
  const named = Object.keys(resource.args.shape).find((property) => traitsOf(resource, property).named);
  if (named === undefined) return;
  const restored = state.deletedAt !== undefined;
  const { requiresReplace, restores } = traitsOf(resource, named);
  const given = isIgnored(named, ignored) || (requiresReplace && !(restored && restores)) ? state[named] : news[named];
  if (restored || given !== state[named]) noteName(resource, id, { [named]: given }, session);
}
