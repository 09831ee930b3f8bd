import type { Audits } from "./entry";

export const organization: Pick<Audits, "updateOrganization"> = {
  updateOrganization: ({ request: { body } }) =>
    body.overages === undefined
      ? { code: "org-configure", data: { ...body } }
      : { code: "org-set-overages", data: { ...body } },
};
