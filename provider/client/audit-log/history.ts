import type { OrganizationClient } from "../organization-client";
import { eachNumberedPage } from "../pages";
import type { AuditSubject } from "./acts";
import { type Act, type AuditLogPage, actsOf } from "./acts";
import { type Deed, type DeletedSubject, deleterOf, logReadBackTo, soleAuthor } from "./authors";

/** When an object was created, and by whom. */
export interface Creation {
  /** RFC 3339 */
  readonly createdAt: string;
  /** Username of the creator. Absent if the audit log does not prove who created the object. */
  readonly createdBy?: string;
}

/** Reads the audit log page by page, latest first. */
export const auditLogPages = (api: Pick<OrganizationClient, "listAuditLogs">) =>
  eachNumberedPage((query) => api.listAuditLogs({ query }));

type Created = Pick<AuditSubject, "kind" | "id">;

/**
 * Finds the creations of the given objects in the audit log. Only an entry with the id of the object counts, because
 * another object may have had the same name.
 *
 * @param pages The pages of the log, latest first. Reading stops as soon as all creations are found.
 * @returns The creations by object. An object is missing if no entry shows its creation.
 */
export async function findCreations<Wanted extends Created>(
  objects: readonly Wanted[],
  pages: AsyncIterable<Pick<AuditLogPage, "audit_logs">>,
): Promise<ReadonlyMap<Wanted, Creation>> {
  const wanted = Map.groupBy(objects, subjectKey);
  const found = new Map<Wanted, Creation>();
  if (wanted.size === 0) return found;
  for await (const { audit_logs } of pages) {
    const creations = audit_logs.flatMap(actsOf).filter(({ did }) => did === "created");
    for (const [key, acts] of Map.groupBy(creations, subjectKey)) {
      const creation = creationOf(acts);
      for (const object of wanted.get(key) ?? []) found.set(object, creation);
      wanted.delete(key);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

function creationOf(acts: readonly Act[]): Creation {
  const createdAt = new Date(Math.max(...acts.map(({ at }) => at))).toISOString();
  const createdBy = soleAuthor(acts, () => true)?.author;
  return createdBy === undefined ? { createdAt } : { createdAt, createdBy };
}

const subjectKey = ({ kind, id }: Pick<Act, "kind" | "id">): string => `${kind} ${id}`;

/**
 * Searches the audit log for the users who deleted the given objects.
 *
 * @param pages The pages of the log, latest first. Reading stops as soon as older pages cannot change the result.
 * @param asOf The time when the log is requested, in milliseconds since 1970.
 * @returns The deletions by object. An object is missing if the log does not prove who deleted it.
 */
export async function findDeletions<Wanted extends DeletedSubject>(
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
    if (last) search(logReadBackTo(Date.parse(last.created_at)));
    if (unread.length === 0) return found;
  }
  search(Number.NEGATIVE_INFINITY);
  return found;
}
