import { AssignableRole } from "../../contract/member";
import { FREE_PLAN } from "../../contract/organization";
import { refuse } from "../messages";
import { listInvites, putInvite, removeInvite } from "../store/invites";
import { findUser, listMembers } from "../store/organizations";
import type { State } from "../store/schema";
import type { Handlers } from "./handler";

/**
 * Handlers for invites. No emails are sent: an invite stays pending until the person becomes a member or the invite is
 * withdrawn.
 */
export const invite: Pick<Handlers, "listInvites" | "createInvite" | "deleteInvite"> = {
  async listInvites(_request, { state, accessScope }) {
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

  async createInvite({ body }, { state, accessScope, now }) {
    const { id, slug, plan, type } = accessScope.organization;
    if (plan === FREE_PLAN) throw refuse.invitesNeedPlan(slug, plan);
    if (type === "personal") throw refuse.personalOrganization("have other members");
    const email = (body.email ?? (await emailOf(body.username ?? "", state))).toLowerCase();
    const members = await listMembers(state, id);
    const member = members.find((each) => each.email.toLowerCase() === email);
    if (member) throw refuse.alreadyMember(member.username, slug);
    await putInvite(state, { organization_id: id, email, role: body.role, created_at: now.toISOString() });
    return { invited: { email, role: body.role, organization: slug } };
  },

  async deleteInvite({ params }, { state, accessScope }) {
    if (!(await removeInvite(state, accessScope.organization.id, params.email))) throw refuse.inviteNotFound();
    return {};
  },
};

async function emailOf(username: string, state: State): Promise<string> {
  const user = await findUser(state, username);
  if (!user) throw refuse.userNotFound(username);
  return user.email;
}
