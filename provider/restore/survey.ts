import { firstPreflightFailure } from "../../kit/preflight";
import { isRefusal } from "../../kit/refusal";
import { FREE_PLAN } from "../../platform/contract/organization";
import { PLAN_REFUSAL } from "../../platform/contract/schemas";
import { auditLogPages, findDeletions } from "../client/audit-log/history";
import { firstItems } from "../client/pages";
import { unreadableAuditLog } from "../command/messages";
import { credentialFailure, explainAccess, rolePermissionFailure } from "../permissions/permissions";
import type { PlatformContext } from "../platform";
import { eachLiveDatabase } from "../resources/database/live-databases";
import {
  type DeletedDatabaseRecord,
  deletedDatabaseSubject,
  readEveryDeletedDatabase,
} from "../resources/deleted-databases";
import { eachDeletedGroup } from "../resources/group/deleted-group";
import { planHasNoRecovery, planHidesDeleted } from "../resources/messages";
import { recoveryDisabled } from "../resources/restoration";
import { isChosen, type RestoreCandidate, type RestoreChoice } from "./choice";
import { groupsUnlisted } from "./messages";

type Subject = ReturnType<typeof deletedDatabaseSubject>;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The deleted and the live objects, which a plan depends on. */
export interface Survey {
  /** Slug of the organization. */
  readonly organization: string;
  readonly deleted: readonly RestoreCandidate[];
  readonly liveGroups: readonly Named[];
  readonly liveDatabases: readonly Named[];
  /** The reason why the platform would refuse every restoration. */
  readonly obstacle?: string | undefined;
  /** A sentence about objects that the API token cannot list. */
  readonly unlisted?: string | undefined;
}

/**
 * Reads what is deleted and what has its names now. Sends read requests only. Looks only for the authors of deletions
 * that the options may choose.
 *
 * @throws Error if the deleted databases cannot be listed, or the options need the audit log and it cannot be read.
 */
export async function takeSurvey(choice: RestoreChoice, context: PlatformContext): Promise<Survey> {
  const { organization, credential } = context.platform;
  // Fails here if the UUID is unknown, because the lists would report that as a missing permission.
  await organization.id();
  const isPinned = credential.groupId !== undefined;
  const [databases, groups, liveGroups, liveDatabases] = await Promise.all([
    readEveryDeletedDatabase(context),
    // A group-scoped token can never list deleted groups (§8), and its own group is live.
    isPinned ? [] : firstItems(eachDeletedGroup(context)).then(({ items }) => items),
    organization.groups(),
    firstItems(eachLiveDatabase(context)).then(({ items }) => items),
  ]).catch((refusal: unknown) => {
    if (!isRefusal(refusal) || refusal.code !== PLAN_REFUSAL) throw refusal;
    throw new Error(planHidesDeleted({ organization: organization.slug }), { cause: refusal });
  });
  const deleted = [
    ...groups.map(({ uuid: id, name, deleted_at: deletedAt }) => {
      const group = { kind: "group" as const, id, name, deletedAt };
      return { object: group, subject: group };
    }),
    ...databases.map((record) => ({ object: deletedDatabase(record), subject: deletedDatabaseSubject(record) })),
  ];
  return {
    organization: organization.slug,
    deleted: await withDeletionAuthors(deleted, choice, context),
    liveGroups: liveGroups.map(({ uuid, name }) => ({ id: uuid, name })),
    liveDatabases: liveDatabases.map(({ DbId, Name }) => ({ id: DbId, name: Name })),
    obstacle: await obstacleToRestoring(context),
    unlisted: credential.groupId === undefined ? undefined : groupsUnlisted({ pinnedTo: credential.groupId }),
  };
}

/** Returns the reason why the platform would refuse every restoration. */
async function obstacleToRestoring(context: PlatformContext): Promise<string | undefined> {
  const { organization } = context.platform;
  if ((await organization.known())?.plan_id === FREE_PLAN)
    return planHasNoRecovery({ organization: organization.slug });
  const failure = await firstPreflightFailure(
    () => recoveryDisabled(context),
    async () => credentialFailure(["restoreDatabase"], context),
    () => rolePermissionFailure("restoring", context),
  );
  return failure?.reason;
}

function deletedDatabase(record: DeletedDatabaseRecord): RestoreCandidate {
  const { DbId: id, Name: name, deleted_at: deletedAt, group_deleted_at } = record;
  const group = { id: record.group_id, name: record.group };
  return { kind: "database", id, name, deletedAt, group, groupDeletedAt: group_deleted_at ?? undefined };
}

async function withDeletionAuthors(
  deleted: readonly { readonly object: RestoreCandidate; readonly subject: Subject }[],
  choice: RestoreChoice,
  context: PlatformContext,
): Promise<readonly RestoreCandidate[]> {
  const { api, clock } = context.platform;
  const wanted = deleted
    .filter(({ object }) => isChosen(object, { ...choice, by: undefined }))
    .map(({ object, subject }) => ({ ...subject, object }));
  try {
    const deeds = await explainAccess("listAuditLogs", context, () =>
      findDeletions(wanted, auditLogPages(api), clock.now()),
    );
    const authors = new Map([...deeds].map(([{ object }, deed]) => [object.id, deed]));
    return deleted.map(({ object }) => ({ ...object, by: authors.get(object.id) }));
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    if (choice.by !== undefined)
      throw new Error(unreadableAuditLog({ option: "--by", cause: refusal.message }), { cause: refusal });
    return deleted.map(({ object }) => object);
  }
}
