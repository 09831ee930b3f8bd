import { firstPreflightFailure } from "../../kit/preflight";
import { isRefusal } from "../../kit/refusal";
import { FREE_PLAN } from "../../platform/contract/organization";
import { PLAN_REFUSAL } from "../../platform/contract/schemas";
import { firstItems } from "../client/pages";
import { unreadableAuditLog } from "../command/messages";
import { deletedDatabases, deletedGroups, withAuthors } from "../inventory/deleted";
import type { DeletedThing } from "../inventory/things";
import { credentialFailure, explainAccess, rolePermissionFailure } from "../permissions/permissions";
import type { PlatformContext } from "../platform";
import { eachLiveDatabase } from "../resources/database/live-databases";
import { planHasNoRecovery, planHidesDeleted } from "../resources/messages";
import { recoveryDisabled } from "../resources/restoration";
import { mayBeChosen, type RestoreChoice } from "./choice";
import { groupsUnlisted } from "./messages";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The deleted and the live objects, which a plan depends on. */
export interface Survey {
  /** Slug of the organization. */
  readonly organization: string;
  readonly deleted: readonly DeletedThing[];
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
    deletedDatabases(context),
    // A group-scoped token can never list deleted groups (§8), and its own group is live.
    isPinned ? [] : deletedGroups(context),
    organization.groups(),
    firstItems(eachLiveDatabase(context)).then(({ items }) => items),
  ]).catch((refusal: unknown) => {
    if (!isRefusal(refusal) || refusal.code !== PLAN_REFUSAL) throw refusal;
    throw new Error(planHidesDeleted({ organization: organization.slug }), { cause: refusal });
  });
  return {
    organization: organization.slug,
    deleted: await withDeletionAuthors([...groups, ...databases], choice, context),
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

async function withDeletionAuthors(
  deleted: readonly DeletedThing[],
  choice: RestoreChoice,
  context: PlatformContext,
): Promise<readonly DeletedThing[]> {
  try {
    return await explainAccess("listAuditLogs", context, () =>
      withAuthors(deleted, context, (object) => mayBeChosen(object, choice)),
    );
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    if (choice.by === undefined) return deleted;
    throw new Error(unreadableAuditLog({ option: "--by", cause: refusal.message }), { cause: refusal });
  }
}
