import { type Act, type AuditLogPage, actsOf } from "./acts";
import { type Deed, type Deleted, deleterOf, readBackTo } from "./authors";

/**
 * Searches the audit log for the users who deleted the given objects.
 *
 * @param pages The pages of the log, latest first. Reading stops as soon as older pages cannot change the result.
 * @param asOf The time when the log is requested, in milliseconds since 1970.
 * @returns The deletions by object. An object is missing if the log does not prove who deleted it.
 */
export async function findDeletions<Wanted extends Deleted>(
  objects: readonly Wanted[],
  pages: AsyncIterable<Pick<AuditLogPage, "audit_logs">>,
  asOf: number,
): Promise<ReadonlyMap<Wanted, Deed>> {
  const found = new Map<Wanted, Deed>();
  const acts: Act[] = [];
  let unread = objects;
  const search = (readBackTo: number) => {
    unread = unread.filter((object) => {
      const result = deleterOf(object, object.deletedAt)({ acts, readBackTo, asOf });
      if (typeof result === "object") found.set(object, result);
      return result === "unread";
    });
  };
  if (unread.length === 0) return found;
  for await (const { audit_logs } of pages) {
    acts.push(...audit_logs.flatMap(actsOf));
    const last = audit_logs.at(-1);
    if (last) search(readBackTo(Date.parse(last.created_at)));
    if (unread.length === 0) return found;
  }
  search(Number.NEGATIVE_INFINITY);
  return found;
}
