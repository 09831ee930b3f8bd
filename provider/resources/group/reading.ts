import { Absent, Deleted, type ReadContext } from "../../../kit/resource";
import type { Author } from "../../facts";
import type { Platform, PlatformContext } from "../../platform";
import { type DeletedDatabaseRecord, deletedDatabasesIn, groupDeletedWith } from "../deleted-databases";
import { deletionAuthor } from "../drift-authors";
import { objectNotFound, restorableUnseen } from "../messages";
import {
  adviceForHidden,
  type DeletedLookup,
  hiddenRestorable,
  isRecoveryDisabled,
  restorableObject,
  restorableUntil,
} from "../restoration";
import { type DeletedGroup, deletedGroupLocation, findDeletedGroup, recentlyDeletedGroup } from "./deleted-group";
import { findLiveGroup, retrieveLiveGroup } from "./live-groups";
import { groupDeleted } from "./messages";
import { assertGroupVisible } from "./reference";
import { groupStateOf, type LiveGroupRecord } from "./state";

/** The recorded state of a group, as far as it matters here. */
export interface RecordedGroup {
  readonly name: string;
  readonly location: string;
  readonly locations: string[] | undefined;
}

export async function readGroup<Known extends RecordedGroup>(id: string, context: ReadContext<Platform, Known>) {
  const listed = context.maxAge && (await findGroupRecently(id, context));
  return listed
    ? groupReading(id, listed, context, context.maxAge)
    : groupReading(id, await findGroupNow(id, context), context);
}

/** The result of a group lookup: the live or deleted record, or the reason why deleted groups cannot be listed. */
interface GroupLookup extends DeletedLookup<DeletedGroup> {
  readonly live?: LiveGroupRecord;
}

/** Finds a group in lists that may be a few seconds old. A group that is missing from these lists may still exist. */
async function findGroupRecently(id: string, context: PlatformContext): Promise<GroupLookup | undefined> {
  const live = await findLiveGroup(context, ({ uuid }) => uuid === id, "seconds");
  if (live) return { live };
  const deleted = await recentlyDeletedGroup(id, context);
  return deleted && { deleted };
}

async function findGroupNow(id: string, context: PlatformContext): Promise<GroupLookup> {
  const live = (await findLiveGroup(context, ({ uuid }) => uuid === id)) ?? (await retrieveLiveGroup(id, context));
  if (live) return { live };
  assertGroupVisible(id, context);
  return findDeletedGroup(id, context);
}

/** Converts what was found of a group to what the platform shows of it. */
async function groupReading<Known extends RecordedGroup>(
  id: string,
  { live, deleted, hidden }: GroupLookup,
  context: ReadContext<Platform, Known>,
  maxAge?: "seconds",
) {
  const { known, platform } = context;
  const organizationId = await platform.organization.id();
  if (live) return groupStateOf(live, organizationId);
  if (deleted) {
    const { name, deleted_at: deletedAt } = deleted;
    const members = await deletedDatabasesIn(id, context, maxAge);
    // The record of a deleted group is incomplete, so the missing properties come from the state or from the group's
    // databases.
    const shown = { ...deletedGroupLocation(members), ...known, name, organizationId };
    // Without a recorded state, the group is being imported or looked up. Its deletion is then not drift, so the
    // message does not say who deleted the group.
    const by = known && (await deletionAuthor({ kind: "group", id, name }, deletedAt, context));
    const message = await deletionMessage(deleted, members, by, context);
    return new Deleted({ shown, deletedAt, restorableUntil: restorableUntil(deletedAt), message });
  }
  const unseen = hidden && known && hiddenRestorable(known, context);
  if (unseen) {
    const message = restorableUnseen({ kind: "group", name: known.name, id, hiddenBecause: hidden.reason });
    const { restorableUntil } = known;
    return new Deleted({ shown: { ...known, organizationId }, restorableUntil, ...unseen, message });
  }
  return new Absent({
    advice: hidden && adviceForHidden(hidden),
    isHidden: hidden?.isOfCredential === true,
    message: objectNotFound({
      kind: "group",
      id,
      organization: platform.organization.slug,
      isKnown: known !== undefined,
      hiddenBecause: hidden?.reason,
    }),
  });
}

const deletionMessage = async (
  { uuid, name, deleted_at }: DeletedGroup,
  members: readonly DeletedDatabaseRecord[],
  by: Author | undefined,
  context: PlatformContext,
): Promise<string> =>
  groupDeleted({
    name,
    by,
    isRecoveryDisabled: await isRecoveryDisabled(context),
    ...restorableObject(uuid, deleted_at),
    contained: members.filter(groupDeletedWith).map(({ Name, DbId }) => ({ name: Name, id: DbId })),
  });
