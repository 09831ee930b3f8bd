import { auditLogPages, findDeletions } from "../client/audit-log/history";
import type { PlatformContext } from "../platform";
import { database } from "../resources/database/database";
import { deletedDatabaseSubject, readEveryDeletedDatabase } from "../resources/deleted-databases";
import { readEveryDeletedGroup } from "../resources/group/deleted-group";
import { group } from "../resources/group/group";
import type { DeletedThing } from "./things";

export async function deletedGroups(context: PlatformContext): Promise<DeletedThing[]> {
  return (await readEveryDeletedGroup(context)).map(({ uuid: id, name, deleted_at: deletedAt }) => {
    return { resource: group, id, name, deletedAt, subject: { kind: "group", id, name, deletedAt } };
  });
}

export async function deletedDatabases(context: PlatformContext): Promise<DeletedThing[]> {
  return (await readEveryDeletedDatabase(context)).map((record) => ({
    resource: database,
    id: record.DbId,
    name: record.Name,
    parent: record.group_id,
    container: { resource: group, id: record.group_id, name: record.group },
    deletedAt: record.deleted_at,
    groupDeletedAt: record.group_deleted_at ?? undefined,
    subject: deletedDatabaseSubject(record),
  }));
}

/**
 * Adds to each deleted object who deleted it, as far as the audit log proves that.
 *
 * @param isWanted Returns whether to look for the author of an object's deletion.
 * @throws Refusal if the audit log cannot be read.
 */
export async function withAuthors(
  things: readonly DeletedThing[],
  { platform: { api, clock } }: PlatformContext,
  isWanted: (thing: DeletedThing) => boolean = () => true,
): Promise<readonly DeletedThing[]> {
  const subjects = things.filter(isWanted).map((thing) => ({ ...thing.subject, thing }));
  const deletions = await findDeletions(subjects, auditLogPages(api), clock.now());
  const authors = new Map([...deletions].map(([{ thing }, deed]) => [thing, deed]));
  return things.map((thing) => ({ ...thing, by: authors.get(thing) }));
}
