import { Role } from "../../contract/organization";
import { refuse } from "../refusal";
import { changeOrganization, findMember, findOrganization, type Organization, type User } from "../store/organizations";
import { flag } from "../store/schema";
import type { Handlers } from "./handler";

export const organization: Pick<
  Handlers,
  "retrieveOrganization" | "updateOrganization" | "retrieveMember" | "retrieveUser"
> = {
  retrieveOrganization: (_request, { reach }) => ({ organization: organizationRecord(reach.organization) }),

  async updateOrganization({ body }, { state, reach }) {
    const { restore_enabled, overages, require_mfa } = body;
    const { id } = reach.organization;
    await changeOrganization(state, id, {
      ...(overages !== undefined && { overages: flag(overages) }),
      ...(require_mfa !== undefined && { require_mfa: flag(require_mfa) }),
      ...(restore_enabled !== undefined && { restore_enabled: flag(restore_enabled) }),
    });
    const changed = await findOrganization(state, { id });
    return { organization: organizationRecord(changed ?? reach.organization) };
  },

  async retrieveMember({ params }, { state, reach }) {
    const member = await findMember(state, reach.organization.id, params.username);
    if (!member) throw refuse.memberNotFound();
    const { username, email, role } = member;
    return { member: { username, email, role: Role.parse(role) } };
  },

  retrieveUser: (_request, { caller }) => ({ user: userRecord(caller.user) }),
};

/** Wire-facts 1.2. */
const organizationRecord = ({ id, name, slug, plan, overages, require_mfa, restore_enabled }: Organization) => ({
  id,
  name,
  slug,
  type: "team",
  overages: overages === 1,
  require_mfa: require_mfa === 1,
  blocked_reads: false,
  blocked_writes: false,
  plan_id: plan,
  plan_timeline: "",
  platform: "",
  restore_enabled: restore_enabled === 1,
});

/** Wire-facts 1.7. */
const userRecord = ({ username, name, email }: Omit<User, "id">) => ({
  username,
  name,
  email,
  avatarUrl: "",
  plan: "",
  mfa: false,
  has_pending_invites: false,
});
