/** Of the public service (wire-facts 7): those that can occur here. */
export const DOCUMENTED_CODES = [
  "db-create",
  "db-delete",
  "db-protect",
  "db-unprotect",
  "group-create",
  "group-delete",
  "group-protect",
  "group-unprotect",
  "org-set-overages",
  "user-token-create",
] as const;

/** Ours, since none is documented for these changes; each is in docs/reference-api.md. */
export const OWN_CODES = [
  "db-configure",
  "db-restore",
  "group-location-add",
  "group-location-rm",
  "group-rename",
  "group-restore",
  "group-transfer",
  "org-configure",
  "user-token-revoke",
] as const;

export type Code = (typeof DOCUMENTED_CODES)[number] | (typeof OWN_CODES)[number];
