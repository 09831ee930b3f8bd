import { isRefusal, messageOf, Refusal, unlessRefused } from "../../platform/client/refusal";
import type { AnyResource } from "../resource/definition";
import { assertSameOrganization, type Context } from "./context";
import { assertReplaceable } from "./preflight";
import { IMPORTED, nounOf, type State, titleOf } from "./properties";

/** Deletes one object. What is gone, or deleted already, is success. */
export async function remove(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: State },
  context: Context,
): Promise<void> {
  const { platform, session } = context;
  if (session.keeps(resource, id)) {
    platform.warn(`Skipped deleting ${titleOf(resource, state)} (${id}): another resource in this update manages it.`);
    return;
  }
  if (state[IMPORTED] === true) session.noteImported(platform.urn, id);
  if (session.importedInsteadOf(platform.urn, id) !== undefined)
    return keepImportedOver(resource, { id, state }, context);
  assertNotReplacedByImport(resource, { id, state }, context);
  await assertReplaceable(resource, context);
  const { container } = resource;
  if (!container) {
    assertKeepsNothing(resource, { id, state }, context);
    return session.deletions.run(() => confirmedDelete(resource, id, state, context));
  }
  await assertSameOrganization(state, context);
  // Not one of these itself, so that two of them never wait for each other.
  const full = await session.deletions.lookBetween(() => container.remaining(id, state, platform));
  if (full) throw new Refusal("conflict", { tried: `could not delete ${titleOf(resource, state)}`, answer: full });
  assertKeepsNothing(resource, { id, state }, context);
  await confirmedDelete(resource, id, state, context);
}

/**
 * To the engine, an import of another id replaces the resource, so it deletes the object that was there, protected or
 * not. Nobody has asked for that (decision 92).
 */
async function keepImportedOver(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: State },
  context: Context,
): Promise<void> {
  const { platform, session } = context;
  await assertSameOrganization(state, context);
  const reading = await resource.read(id, state, "platform", platform);
  if (reading.status === "absent") return;
  if (reading.status === "deleted")
    return platform.warn(
      `${reading.message} This stack no longer manages it. To restore it, declare a second resource with the option \`import: "${id}"\`.`,
    );
  platform.warn(
    `Kept ${titleOf(resource, reading.state)} (${id}) on the platform; this stack no longer manages it. Pulumi asked to delete it because this resource now manages ${session.importedInsteadOf(platform.urn, id)}, which was imported or restored. To manage it again, declare a second resource with the option \`import: "${id}"\`.`,
  );
}

/**
 * With an alias, an import replaces, and so deletes, what the stack managed under another URN. That deletion looks like
 * that of a resource that the program has dropped, which the next update carries out (decision 110).
 */
function assertNotReplacedByImport(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: State },
  { platform, session }: Context,
): void {
  const imported = [...session.newImportsOf(resource).keys()];
  if (imported.length === 0 || session.isDeclared(platform.urn) || state.deletedAt !== undefined) return;
  throw new Refusal("conflict", {
    tried: `could not delete ${titleOf(resource, state)} (${id})`,
    answer: `this update also imports ${imported.join(", ")}, and an import with \`aliases\` must not delete what it replaces`,
    advice: `To delete ${id}, run \`pulumi up\` again. To keep it, declare a second resource with the option \`import: "${id}"\` first`,
  });
}

/** A program that drops an owner by mistake must not lose what it still declares inside (decision 103). */
function assertKeepsNothing(
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: State },
  { session }: Context,
): void {
  const kept = session.keptIn(resource, id);
  if (kept === undefined || state.deletedAt !== undefined) return;
  throw new Refusal("conflict", {
    tried: `could not delete ${titleOf(resource, state)} (${id})`,
    answer: `the program still declares ${kept}, which would be deleted with it`,
    advice: `Remove or move that resource as well, or declare the ${nounOf(resource)} again`,
  });
}

async function confirmedDelete(resource: AnyResource, id: string, state: State, context: Context): Promise<void> {
  const { platform, session } = context;
  await assertSameOrganization(state, context);
  try {
    await resource.delete(id, state, platform);
    session.noteDeleted(resource, id);
  } catch (cause) {
    const isLost = isRefusal(cause) && cause.uncertain;
    if (isLost || isRefusal(cause, "absent")) {
      // Throws where the credential could not have seen it.
      const reading = await resource.read(id, state, "platform", platform).catch((unseen) => {
        throw isLost ? cause : unseen;
      });
      if (reading.status !== "live") return session.noteDeleted(resource, id);
    }
    const why = isRefusal(cause, "forbidden")
      ? await resource.preflight?.delete?.(id, state, platform).catch(unlessRefused)
      : undefined;
    throw why ? new Refusal("conflict", { tried: messageOf(cause), answer: why.reason, cause }) : cause;
  }
}
