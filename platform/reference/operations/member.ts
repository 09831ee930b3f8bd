import { AssignableRole } from "../../contract/member";
import { Role } from "../../contract/organization";
import { refuse } from "../messages";
import { removeInvite } from "../store/invites";
import {
  changeRole,
  findMember,
  findMemberById,
  findUser,
  hasOtherOwner,
  listMembers,
  type Member,
  removeMember,
} from "../store/organizations";
import type { Handlers, OrganizationContext } from "./handler";

export const member: Pick<Handlers, "listMembers" | "addMember" | "retrieveMember" | "updateMember" | "removeMember"> =
  {
    async listMembers(_request, { state, accessScope }) {
      const members = await listMembers(state, accessScope.organization.id);
      return { members: members.map(memberRecord) };
    },

    async addMember({ params, body }, { state, accessScope }) {
      const { id, slug, type } = accessScope.organization;
      const username = params.username ?? body.username ?? body.member ?? "";
      if (type === "personal") throw refuse.personalOrganization("have other members");
      const user = await findUser(state, username);
      if (!user) throw refuse.userNotFound(username);
      if (await findMember(state, id, username)) throw refuse.alreadyMember(username, slug);
      await changeRole(state, { organizationId: id, userId: user.id, role: body.role });
      await removeInvite(state, id, user.email);
      return { member: username, role: AssignableRole().parse(body.role) };
    },

    async retrieveMember({ params }, { state, accessScope }) {
      const found = await findMember(state, accessScope.organization.id, params.username);
      if (!found) throw refuse.memberNotFound();
      return { member: memberRecord(found) };
    },

    async updateMember({ params, body }, context) {
      const { state, accessScope } = context;
      const found = await findMember(state, accessScope.organization.id, params.username);
      if (!found) throw refuse.memberNotFound();
      await checkOwner(found, context);
      await changeRole(state, { organizationId: accessScope.organization.id, userId: found.id, role: body.role });
      return { member: memberRecord({ ...found, role: body.role }) };
    },

    /** Does not revoke the former member's tokens, which stay valid but no longer give access to this organization. */
    async removeMember({ params }, context) {
      const { state, accessScope } = context;
      const found = await findMember(state, accessScope.organization.id, params.username);
      if (!found) throw refuse.notMember(params.username, accessScope.organization.slug);
      await checkOwner(found, context);
      await removeMember(state, accessScope.organization.id, found.id);
      return { member: params.username };
    },
  };

/**
 * Only an owner may change or remove an owner. The last owner must stay, because otherwise nobody could appoint a new
 * owner.
 */
async function checkOwner({ id, role }: Member, { state, accessScope, caller }: OrganizationContext): Promise<void> {
  if (role !== "owner") return;
  const own = await findMemberById(state, accessScope.organization.id, caller.user.id);
  if (own?.role !== "owner") throw refuse.ownerRequired();
  if (!(await hasOtherOwner(state, accessScope.organization.id, id))) throw refuse.lastOwner();
}

const memberRecord = ({ username, email, role }: Member) => ({ username, email, role: Role().parse(role) });
