import { AssignableRole } from "../../contract/member";
import { FREE_PLAN, Role } from "../../contract/organization";
import { findUser, listMembers, type Member, putMember, removeMember, selectMembers } from "../credentials/membership";
import { EMAIL_OR_USERNAME, refuse, USERNAME_MISSING, USERNAMES_DIFFER } from "../messages";
import { checkedColumns } from "../store/columns";
import { nextNumber } from "../store/counters";
import type { InviteRow, State } from "../store/schema";
import type { Operations, OrganizationContext } from "./operation";

/**
 * The members of an organization and its invites. No emails are sent: an invite stays pending until the person becomes a
 * member or the invite is withdrawn.
 */
export const members = {
  listMembers: {
    async handle(_request, { state, accessScope }) {
      const rows = await listMembers(state, accessScope.organization.id);
      return { members: rows.map(memberRecord) };
    },
  },

  addMember: {
    check({ params, body }) {
      const names = new Set([params.username, body.username, body.member].filter((name) => name !== undefined));
      if (names.size === 0) return USERNAME_MISSING;
      return names.size > 1 ? USERNAMES_DIFFER : undefined;
    },
    async handle({ params, body }, { state, accessScope }) {
      const { id, slug, type } = accessScope.organization;
      const username = params.username ?? body.username ?? body.member ?? "";
      if (type === "personal") throw refuse.personalOrganization({ unpersonal: "have other members" });
      const user = await findUser(state, username);
      if (!user) throw refuse.userNotFound({ username });
      if (await findMember(state, id, username)) throw refuse.alreadyMember({ username, slug });
      await putMember(state, { organizationId: id, userId: user.id, role: body.role });
      await removeInvite(state, id, user.email);
      return { member: username, role: AssignableRole().parse(body.role) };
    },
    audit: ({ answer: { member, role } }) => ({ code: "org-member-add", data: { member, role } }),
  },

  retrieveMember: {
    async handle({ params }, { state, accessScope }) {
      const found = await findMember(state, accessScope.organization.id, params.username);
      if (!found) throw refuse.memberNotFound();
      return { member: memberRecord(found) };
    },
  },

  updateMember: {
    async handle({ params, body }, context) {
      const { state, accessScope } = context;
      const found = await findMember(state, accessScope.organization.id, params.username);
      if (!found) throw refuse.memberNotFound();
      await checkOwnerChange(found, context);
      await putMember(state, { organizationId: accessScope.organization.id, userId: found.id, role: body.role });
      return { member: memberRecord({ ...found, role: body.role }) };
    },
    audit: ({ answer: { member } }) => ({
      code: "org-member-update",
      data: { member: member.username, role: member.role },
    }),
  },

  removeMember: {
    /** Does not revoke the former member's tokens, which stay valid but no longer give access to this organization. */
    async handle({ params }, context) {
      const { state, accessScope } = context;
      const found = await findMember(state, accessScope.organization.id, params.username);
      if (!found) throw refuse.notMember({ username: params.username, slug: accessScope.organization.slug });
      await checkOwnerChange(found, context);
      await removeMember(state, accessScope.organization.id, found.id);
      return { member: params.username };
    },
    audit: ({ answer: { member }, caller }) => ({
      code: member === caller.user.username ? "org-member-leave" : "org-member-rm",
      data: { member },
    }),
  },

  listInvites: {
    async handle(_request, { state, accessScope }) {
      const rows = await listInvites(state, accessScope.organization.id);
      return {
        invites: rows.map(({ number, email, role, created_at }) => ({
          id: number,
          email,
          role: AssignableRole().parse(role),
          created_at,
          accepted: false,
        })),
      };
    },
  },

  createInvite: {
    check: ({ body: { email, username } }) =>
      (email === undefined) === (username === undefined) ? EMAIL_OR_USERNAME : undefined,
    async handle({ body }, { state, accessScope, now }) {
      const { id, slug, plan, type } = accessScope.organization;
      if (plan === FREE_PLAN) throw refuse.invitesNeedPlan({ slug, billingPlan: plan });
      if (type === "personal") throw refuse.personalOrganization({ unpersonal: "have other members" });
      const email = (body.email ?? (await emailOf(body.username ?? "", state))).toLowerCase();
      const rows = await listMembers(state, id);
      const member = rows.find((each) => each.email.toLowerCase() === email);
      if (member) throw refuse.alreadyMember({ username: member.username, slug });
      await putInvite(state, { organization_id: id, email, role: body.role, created_at: now.toISOString() });
      return { invited: { email, role: body.role, organization: slug } };
    },
    audit: ({ answer: { invited } }) => ({
      code: "org-invite-create",
      data: { email: invited.email, role: invited.role },
    }),
  },

  deleteInvite: {
    async handle({ params }, { state, accessScope }) {
      if (!(await removeInvite(state, accessScope.organization.id, params.email))) throw refuse.inviteNotFound();
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "org-invite-delete", data: { email: params.email } }),
  },
} satisfies Partial<Operations>;

/**
 * Only an owner may change or remove an owner. The last owner must stay, because otherwise nobody could appoint a new
 * owner.
 */
async function checkOwnerChange(
  { id, role }: Member,
  { state, accessScope, caller }: OrganizationContext,
): Promise<void> {
  if (role !== "owner") return;
  const own = await findMemberById(state, accessScope.organization.id, caller.user.id);
  if (own?.role !== "owner") throw refuse.ownerRequired();
  if (!(await hasOtherOwner(state, accessScope.organization.id, id))) throw refuse.lastOwner();
}

const memberRecord = ({ username, email, role }: Member) => ({ username, email, role: Role().parse(role) });

async function emailOf(username: string, state: State): Promise<string> {
  const user = await findUser(state, username);
  if (!user) throw refuse.userNotFound({ username });
  return user.email;
}

const findMember = (state: State, organizationId: string, username: string): Promise<Member | undefined> =>
  selectMembers(state, organizationId).where("users.username", "=", username).executeTakeFirst();

const findMemberById = (state: State, organizationId: string, userId: string): Promise<Member | undefined> =>
  selectMembers(state, organizationId).where("users.id", "=", userId).executeTakeFirst();

async function hasOtherOwner(state: State, organizationId: string, userId: string): Promise<boolean> {
  const other = await selectMembers(state, organizationId)
    .where("members.role", "=", "owner")
    .where("members.user_id", "!=", userId)
    .executeTakeFirst();
  return other !== undefined;
}

const listInvites = (state: State, organizationId: string): Promise<InviteRow[]> =>
  state.selectFrom("invites").selectAll().where("organization_id", "=", organizationId).orderBy("number").execute();

/** Stores an invite, replacing an earlier invite to the same email. The email must be in lower case. */
async function putInvite(state: State, invite: Omit<InviteRow, "number">): Promise<void> {
  await removeInvite(state, invite.organization_id, invite.email);
  const number = await nextNumber(state, "invites");
  await state
    .insertInto("invites")
    .values(checkedColumns({ ...invite, number }))
    .execute();
}

async function removeInvite(state: State, organizationId: string, email: string): Promise<boolean> {
  const removed = await state
    .deleteFrom("invites")
    .where("organization_id", "=", organizationId)
    .where("email", "=", email.toLowerCase())
    .returning("number")
    .executeTakeFirst();
  return removed !== undefined;
}

/** Returns whether any organization has a pending invite for this email. */
export async function isInvited(state: State, email: string): Promise<boolean> {
  const invite = await state
    .selectFrom("invites")
    .select("number")
    .where("email", "=", email.toLowerCase())
    .limit(1)
    .executeTakeFirst();
  return invite !== undefined;
}
