import { word } from "../../../kit/field";
import type { PreflightFailure } from "../../../kit/preflight";
import { Refusal } from "../../../kit/refusal";
import type { ListCache, RecentList } from "../../client/cache/list-cache";
import type { Client } from "../../client/organization-client";
import { explainAccess, rolePermissionFailure } from "../../permissions/permissions";
import type { PlatformContext } from "../../platform";
import { MEMBER_LISTED_TWICE, OWNERSHIP_NOT_GIVEN, PERSONAL_ORGANIZATION, roleUnknown } from "./messages";

export type MemberRecord = Awaited<ReturnType<Client["retrieveMember"]>>["member"];
export type InviteRecord = Awaited<ReturnType<Client["listInvites"]>>["invites"][number];
export type AssignableRole = InviteRecord["role"];

const ROLE_DESCRIPTIONS: Readonly<Record<AssignableRole, string>> = {
  admin: "Manages everything, members included.",
  member: "Manages databases and groups.",
  viewer: "Reads only.",
};

export const OWNER = "owner";

export const assignableRole = word({
  name: "Role",
  description: "What a member of the organization may do.",
  values: ROLE_DESCRIPTIONS,
});

export function assignableProblem(role: string): string | undefined {
  if (role === OWNER) return OWNERSHIP_NOT_GIVEN;
  const allowed = Object.keys(ROLE_DESCRIPTIONS);
  return allowed.includes(role) ? undefined : roleUnknown({ role, allowed });
}

export const listMembers = (context: PlatformContext): Promise<readonly MemberRecord[]> =>
  explainAccess("listMembers", context, async () => {
    const { api } = context.platform;
    const { members } = await api.listMembers();
    // If a member is listed twice, another member may be missing. An invite that the missing member has accepted would
    // then be mistaken for a withdrawn invite.
    if (new Set(members.map(({ username }) => username)).size < members.length)
      throw new Refusal("unreadable", { answer: MEMBER_LISTED_TWICE });
    return members;
  });

export const listInvites = (context: PlatformContext): Promise<readonly InviteRecord[]> =>
  explainAccess("listInvites", context, async () => {
    const { api } = context.platform;
    return (await api.listInvites()).invites;
  });

/** Returns the member with this username from a list that is at most a few seconds old. */
export async function findMember(username: string, context: PlatformContext) {
  const load = () => listMembers(context);
  const { items } = await listPeople("members", { name: username, load, ...context.platform }, "seconds");
  return items.find((member) => member.username === username);
}

/** Returns the member with this email, or `undefined`. Ignores differences in case. */
export async function memberWithEmail(email: string, context: PlatformContext, maxAge?: "seconds") {
  const load = () => listMembers(context);
  const members = (await listPeople("members", { load, ...context.platform }, maxAge)).items;
  return {
    found: members.find((member) => member.email !== undefined && sameEmail(member.email, email)),
    /** Whether the list contains the emails of all members. */
    isWhole: members.every((member) => member.email !== undefined),
  };
}

/** Returns the pending invite to this email, or `undefined`. */
export async function findInvite(email: string, context: PlatformContext, maxAge?: "seconds") {
  const load = () => listInvites(context);
  const { items } = await listPeople("invites", { name: email, load, ...context.platform }, maxAge);
  return items.find((invite) => sameEmail(invite.email, email));
}

export const canonicalEmail = (email: string): string => email.toLowerCase();

export const sameEmail = (one: string, other: string): boolean => canonicalEmail(one) === canonicalEmail(other);

interface Wanted<Item> {
  /**
   * Username or email of the person to find. The list is requested again if this process may have changed the person's
   * entry since the last request.
   */
  readonly name?: string;
  readonly load: () => Promise<readonly Item[]>;
  readonly lists: ListCache;
}

async function listPeople<Item>(
  list: "members" | "invites",
  { name, load, lists }: Wanted<Item>,
  maxAge?: "seconds",
): Promise<RecentList<readonly Item[]>> {
  const people = await lists.get(list, load, maxAge);
  const isOutdated = maxAge !== undefined && name !== undefined && !people.isCurrent(name);
  return isOutdated ? lists.get(list, load) : people;
}

/** Returns a failure if the organization is a personal account, to which nobody can be added. */
export async function personalFailure({
  platform: { organization },
}: PlatformContext): Promise<PreflightFailure | undefined> {
  const record = await organization.known();
  return record?.type === "personal" ? { reason: PERSONAL_ORGANIZATION } : undefined;
}

/** Returns the reason why the API token's user may not change members or invites. A group-scoped token has no user. */
export const adminFailure = async (context: PlatformContext): Promise<PreflightFailure | undefined> =>
  context.platform.credential.groupId === undefined ? rolePermissionFailure("managing members", context) : undefined;
