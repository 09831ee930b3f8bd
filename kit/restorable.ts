import { unlessRefused } from "./refusal";

/**
 * Returns until when an object that is deleted now can be restored, or `undefined` if it cannot be restored at present,
 * or if nobody can tell.
 */
export async function restorableAfterDeletion<C>(
  softDeleted:
    | { unavailable?(context: C): Promise<string | undefined>; restorableUntil?(context: C): string }
    | undefined,
  context: C,
): Promise<string | undefined> {
  const obstacle = await softDeleted?.unavailable?.(context).catch((refused) => unlessRefused(refused) ?? "unknown");
  return obstacle === undefined ? softDeleted?.restorableUntil?.(context) : undefined;
}
