import { isRefusal, Refusal, unlessRefused } from "../refusal";
import type { ResourceContext } from "../resource/context";
import type { AnyResource } from "../resource/definition";
import { type Compared, compare } from "./compare";
import type { Context } from "./context";
import { operationImpossible, replacedIsDeleted, replacedIsGone } from "./messages";
import { nounOf, type Properties, remember, titleOf } from "./properties";
import { newObjectPlanned } from "./restore/messages";
import type { UpdateSession } from "./session";
import { nameTaken } from "./taken/taken";

/**
 * Finds the object that an interrupted replacement has deleted, if the program no longer requires the replacement. The
 * engine creates a replacement nevertheless, so the creation has to restore the object (decision 176).
 */
export async function findWithdrawn(
  resource: AnyResource,
  news: Properties,
  context: Context,
): Promise<Compared | undefined> {
  const { platform, session } = context;
  const matched = matchedUnread(resource, platform.urn, session);
  if (!matched) return undefined;
  const { id, state, oldInputs } = matched;
  const reading = await resource.read(id, state, "platform", platform);
  if (reading.status === "absent") return undefined;
  if (reading.status === "live" && !isWithdrawn(resource, matched, session)) return undefined;
  session.noteManagedAgain(resource, id);
  const holder = reading.status === "deleted" ? await holderOf(resource, news, platform) : undefined;
  if (holder !== undefined)
    throw new Refusal("conflict", {
      tried: operationImpossible("restore", `${titleOf(resource, reading.state)} (${id})`),
      ...(await nameTaken(resource, news, holder, context)),
    });
  return { id, oldInputs, state: remember(resource, reading.state, oldInputs, state), news };
}

/**
 * Returns the inputs that the last update recorded, if the engine replaces the resource only because a replacement was
 * interrupted. The engine then checks the program's inputs as those of a new resource, but the restored object keeps
 * its generated name.
 */
export function inputsOfWithdrawn(resource: AnyResource, urn: string, session: UpdateSession): Properties | undefined {
  const matched = matchedUnread(resource, urn, session);
  return matched && isWithdrawn(resource, matched, session) ? matched.oldInputs : undefined;
}

/** Returns the comparison of a resource that the program does not replace, and whose object the engine has not read. */
function matchedUnread({ type, restorable }: AnyResource, urn: string, session: UpdateSession): Compared | undefined {
  const matched = session.matchedBy(urn);
  if (!matched || !restorable) return undefined;
  // The last update recorded the deletion, so the program replaces the deleted object on purpose.
  if (matched.state.deletedAt !== undefined) return undefined;
  // The engine reads every object except one that an interrupted replacement has deleted.
  return session.isInStack(type, matched.id) || session.hasDeleted({ type }, matched.id) ? undefined : matched;
}

/** Returns whether only an interrupted replacement can be the reason why the engine replaces the resource. */
const isWithdrawn = (resource: AnyResource, matched: Compared, session: UpdateSession): boolean =>
  session.isPendingReplacement(resource, matched.id) || compare(resource, matched, session.names).length === 0;

/** Warns that the object which an interrupted replacement has deleted can no longer be restored. */
export async function warnOfLost(resource: AnyResource, { platform, session }: Context): Promise<void> {
  const replaced = session.managedUnder(platform.urn);
  if (!replaced || !resource.restorable || session.isInStack(resource.type, replaced.id)) return;
  const reading = await resource.read(replaced.id, undefined, "platform", platform).catch(unlessRefused);
  if (reading?.status !== "absent") return;
  const lost = replacedIsGone(replaced.title, replaced.id, true);
  platform.warn(`${lost}. ${newObjectPlanned(nounOf(resource), true)}`);
}

async function holderOf(resource: AnyResource, news: Properties, platform: ResourceContext) {
  const holder = await resource.named?.findByName({ name: String(news.name) }, platform).catch(unlessRefused);
  return holder?.id;
}

/** Adds to the error of a failed creation what became of the object that the creation replaces. */
export async function withFateOfReplaced(
  resource: AnyResource,
  failure: unknown,
  { platform, session }: Context,
): Promise<unknown> {
  const replaced = session.managedUnder(platform.urn);
  // The error about a taken name says itself what to do.
  if (!replaced || !resource.named || !isRefusal(failure) || isRefusal(failure.cause, "taken")) return failure;
  const reading = await resource.read(replaced.id, undefined, "platform", platform).catch(unlessRefused);
  if (reading?.status === "live" || (!reading && !session.hasDeleted(resource, replaced.id))) return failure;
  const fate =
    reading?.status === "deleted"
      ? replacedIsDeleted(reading.message)
      : replacedIsGone(replaced.title, replaced.id, resource.restorable !== undefined);
  const { kind, status, code, uncertain, message: answer } = failure;
  return new Refusal(kind, { answer, advice: fate, status, code, uncertain, cause: failure });
}
