import type { Audits } from "./entry";

export const people: Pick<Audits, "addMember" | "updateMember" | "removeMember" | "createInvite" | "deleteInvite"> = {
  addMember: ({ answer: { member, role } }) => ({ code: "org-member-add", data: { member, role } }),
  updateMember: ({ answer: { member } }) => ({
    code: "org-member-update",
    data: { member: member.username, role: member.role },
  }),
  removeMember: ({ answer: { member }, caller }) => ({
    code: member === caller.user.username ? "org-member-leave" : "org-member-rm",
    data: { member },
  }),

  createInvite: ({ answer: { invited } }) => ({
    code: "org-invite-create",
    data: { email: invited.email, role: invited.role },
  }),
  deleteInvite: ({ request: { params } }) => ({ code: "org-invite-delete", data: { email: params.email } }),
};
