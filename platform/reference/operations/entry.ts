/** Codes of the public service (wire-facts 7) that this server's audit logs can contain. */
export const DOCUMENTED_CODES = [
  "db-aunrchive",
  "db-create",
  "db-delete",
  "db-protect",
  "db-token-create",
  "db-unprotect",
  "group-create",
  "group-delete",
  "group-protect",
  "group-token-create",
  "group-unarchive",
  "group-unprotect",
  "instance-create",
  "instance-delete",
  "org-create",
  "org-delete",
  "org-member-add",
  "org-member-leave",
  "org-member-rm",
  "org-plan-update",
  "org-set-overages",
  "user-token-create",
] as const;

/**
 * Our own audit-log codes, for changes that have no documented code in the public service. docs/reference-api.md
 * describes each code.
 */
export const OWN_CODES = [
  "db-configure",
  "db-dump-upload",
  "db-restore",
  "db-seed",
  "db-token-rotate",
  "db-transfer",
  "db-update",
  "group-location-add",
  "group-location-rm",
  "group-rename",
  "group-restore",
  "group-token-rotate",
  "group-transfer",
  "group-update",
  "org-configure",
  "org-invite-create",
  "org-invite-delete",
  "org-member-update",
  "user-token-invalidate",
  "user-token-revoke",
] as const;

type Code = (typeof DOCUMENTED_CODES)[number] | (typeof OWN_CODES)[number];

/** An entry of an audit log (§2.6). */
export interface Entry {
  readonly code: Code;
  /** Names and ids of the changed objects. They never include a credential. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Slug of the organization whose log gets the entry. Default: the organization of the request. */
  readonly organization?: string;
}
