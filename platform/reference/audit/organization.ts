import type { Audits, Entry } from "./entry";

export const organization: Pick<
  Audits,
  "createOrganization" | "updateOrganization" | "deleteOrganization" | "updateSubscription" | "openBillingPortal"
> = {
  createOrganization: ({ request: { query, body } }) =>
    query.dry_run === "true" ? [] : { code: "org-create", data: { organization: body.name }, organization: body.name },
  updateOrganization({ request: { body } }) {
    if (Object.keys(body).length === 0) return [];
    return { code: body.overages === undefined ? "org-configure" : "org-set-overages", data: { ...body } };
  },
  /**
   * The entry goes to the log of the caller's personal account, because the operation also deletes the organization's
   * own log.
   */
  deleteOrganization: ({ request: { params }, caller }) => ({
    code: "org-delete",
    data: { organization: params.organizationSlug },
    organization: caller.user.username,
  }),

  updateSubscription({ request: { body }, answer: { subscription } }) {
    const { plan, timeline, overages } = subscription;
    const entry: Entry = { code: "org-plan-update", data: { plan, timeline } };
    return typeof body.overages === "boolean" ? [entry, { code: "org-set-overages", data: { overages } }] : entry;
  },
  openBillingPortal: () => [],
};
