import { newNameInUse } from "../../../kit/messages";
import { type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { unlessRefused } from "../../../kit/refusal";
import { isOlderLocation } from "../../../platform/values/location";
import type { PlatformContext } from "../../platform";
import { databaseInGroupProtected, OBJECT_PROTECTED, UNPROTECT_GROUP, unprotectDatabase } from "../messages";
import { isConfigurationDeclared } from "../protection";
import { recoveryUnavailable } from "../restoration";
import { databasesInGroup, findLiveGroup, otherLiveGroupNamed } from "./live-groups";
import { groupNotEmpty, locationUnknown, olderLocation } from "./messages";

interface Located {
  readonly location?: string | undefined;
  readonly locations?: readonly string[] | undefined;
}

const locationsOf = ({ location, locations = [] }: Located): readonly string[] =>
  location === undefined ? locations : [location, ...locations];

export async function locationFailure(
  located: Located,
  { platform: { api }, run }: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const wanted = locationsOf(located);
  if (wanted.length === 0) return undefined;
  const { locations: known } = await run.once("locations", () => api.listLocations());
  const missing = wanted.find((code) => !Object.hasOwn(known, code));
  return preflightFailure(
    missing === undefined ? undefined : locationUnknown({ location: missing, known: Object.keys(known) }),
  );
}

/** Returns warnings about locations that the platform may refuse although it lists them. */
export const olderLocationWarnings = (locations: readonly string[]): readonly string[] =>
  locations.filter(isOlderLocation).map((location) => olderLocation({ location }));

/**
 * Returns a failure if another group already has the new name, because the platform rejects such a rename.
 */
export async function groupRenameFailure(
  id: string,
  name: string,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const holder = await otherLiveGroupNamed(name, id, context);
  if (!holder) return undefined;
  const { answer, advice } = newNameInUse({ kind: "group", name, id: holder.uuid });
  return preflightFailure(`${answer}. ${advice}`);
}

interface Deletable {
  readonly name: string;
  readonly forceDestroy?: boolean | undefined;
}

/**
 * Describes the databases that prevent a group's deletion, because they would be deleted with the group. With
 * `forceDestroy`, no database prevents the deletion.
 */
export async function deletionObstacle(
  id: string,
  group: Deletable,
  context: PlatformContext,
): Promise<string | undefined> {
  const found = group.forceDestroy ? undefined : await findLiveGroup(context, ({ uuid }) => uuid === id);
  return found && remainingDatabases(group, await databasesInGroup(found.name, context), context);
}

/**
 * Returns the reason why a group cannot be deleted: the group or one of its databases is protected, or the group
 * contains databases that the stack does not manage.
 */
export async function groupDeletionFailure(
  id: string,
  group: Deletable,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const found = await findLiveGroup(context, ({ uuid }) => uuid === id);
  if (!found) return undefined;
  if (found.delete_protection) return { reason: OBJECT_PROTECTED, toAllow: UNPROTECT_GROUP };
  const databases = await databasesInGroup(found.name, context);
  const kept = databases.find(({ delete_protection }) => delete_protection);
  if (kept)
    return {
      reason: databaseInGroupProtected({ protectedDatabase: { name: kept.Name, id: kept.DbId } }),
      toAllow: unprotectDatabase({
        isConfigurationDeclared: isConfigurationDeclared(kept.DbId, context.run.leavesStack("Group", id), context),
      }),
    };
  // Databases that the stack manages are replaced together with their group, so only unmanaged databases prevent the
  // deletion. If the group is not known to be in the stack, the provider cannot tell which databases the stack manages.
  if (group.forceDestroy || !context.run.inStack("Group", id)) return undefined;
  const foreign = databases.filter(({ DbId }) => !context.run.inStack("Database", DbId));
  return preflightFailure(await remainingDatabases(group, foreign, context));
}

interface Remaining {
  readonly Name: string;
  readonly DbId: string;
}

async function remainingDatabases(
  { name }: Deletable,
  databases: readonly Remaining[],
  context: PlatformContext,
): Promise<string | undefined> {
  if (databases.length === 0) return undefined;
  // The lookup only completes a message, so its failure must not replace the message.
  const obstacle = await recoveryUnavailable(context).catch(unlessRefused);
  return groupNotEmpty({ name, contained: databases.map(({ Name, DbId }) => ({ name: Name, id: DbId })), obstacle });
}
