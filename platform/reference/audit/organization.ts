import type { Audits } from "./entry";

export const organization: Pick<
  Audits,
  "createOrganization" | "updateOrganization" | "deleteOrganization" | "addMember" | "updateMember" | "removeMember"
> = {
  createOrganization: ({ request: { query, body } }) =>
    query.dry_run === "true" ? [] : { code: "org-create", data: { organization: body.name }, organization: body.name },
  updateOrganization({ request: { body } }) {
    if (Object.keys(body).length === 0) return [];
    return { code: body.overages === undefined ? "org-configure" : "org-set-overages", data: { ...body } };
  },
  /** Its own log is gone with it. */
  deleteOrganization: ({ request: { params }, caller }) => ({
    code: "org-delete",
    data: { organization: params.organizationSlug },
    organization: caller.user.username,
  }),

  addMember: ({ answer: { member, role } }) => ({ code: "org-member-add", data: { member, role } }),
  updateMember: ({ answer: { member } }) => ({
    code: "org-member-update",
    data: { member: member.username, role: member.role },
  }),
  removeMember: ({ answer: { member }, caller }) => ({
    code: member === caller.user.username ? "org-member-leave" : "org-member-rm",
    data: { member },
  }),
};
