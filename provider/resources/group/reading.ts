import type { ReadContext } from "../../../kit/resource";
import { Absent, Deleted } from "../../../kit/results";
import type { Platform, PlatformContext } from "../../platform";
import { deletedDatabasesIn, returnsWithGroup } from "../deleted-databases";
import { deletionAuthor } from "../drift-authors";
import { objectNotFound } from "../messages";
import {
  adviceForHidden,
  type DeletedLookup,
  restorableUntil,
  restorationCondition,
  unseenDeletion,
} from "../restoration";
import {
  type DeletedGroup,
  deletedGroupLocation,
  findDeletedGroup,
  nameAndId,
  recentlyDeletedGroup,
} from "./deleted-group";
import { findLiveGroup, retrieveLiveGroup } from "./live-groups";
import { THESE_DATABASES } from "./messages";
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
    return new Deleted(shown, {
      deletedAt,
      restorableUntil: restorableUntil(deletedAt),
      by,
      once: await restorationCondition(context),
      contents: {
        what: THESE_DATABASES,
        objects: members.filter((member) => returnsWithGroup(member, deletedAt)).map(nameAndId),
      },
    });
  }
  const unseen = hidden && known && unseenDeletion(known, hidden, context);
  if (unseen) return new Deleted({ ...known, organizationId }, unseen);
  const message = objectNotFound({
    kind: "group",
    id,
    organization: platform.organization.slug,
    isKnown: known !== undefined,
    hiddenBecause: hidden?.reason,
  });
  return new Absent(message, { advice: hidden && adviceForHidden(hidden), isHidden: hidden?.isOfCredential === true });
}
