import type { Operation } from "../../platform/contract/api";
import { message } from "../../platform/values/message";

/** Operations that a group-scoped token can never run, each described by a phrase for error messages. */
export const ORGANIZATION_LEVEL: Partial<Record<Operation, string>> = {
  createGroup: "create groups",
  deleteGroup: "delete groups",
  restoreGroup: "restore groups",
  createApiToken: "create API tokens",
  listApiTokens: "list API tokens",
  revokeApiToken: "revoke API tokens",
  listAuditLogs: "list audit logs",
  retrieveOrganizationUsage: "read the usage of the organization",
  listDeletedGroups: "list deleted groups",
  retrieveOrganization: "read the organization's record",
  updateOrganization: "change the organization's settings",
  listMembers: "list members",
  retrieveMember: "read members",
  addMember: "add members",
  updateMember: "change the roles of members",
  removeMember: "remove members",
  listInvites: "list invites",
  createInvite: "invite people",
  deleteInvite: "withdraw invites",
};

/**
 * Reports that a group-scoped token cannot run an operation.
 *
 * @param operation One of the phrases in `ORGANIZATION_LEVEL`.
 */
export const organizationTokenNeeded = message(
  (operation: string, groupId: string) =>
    `a group-scoped API token cannot ${operation} (this token is pinned to group ${groupId}); use an organization-level token`,
  ["create groups", "0a28102d-6906-11ee-8553-eaa7715aeaf2"],
);

export const scopesMissing = message(
  (...scopes: readonly string[]) => {
    const quoted = scopes.map((scope) => `\`${scope}\``);
    const last = quoted.pop();
    return quoted.length === 0
      ? `the API token lacks the scope ${last}`
      : `the API token lacks the scopes ${quoted.join(", ")} and ${last}`;
  },
  ["db:create"],
  ["read", "db:create", "db:delete"],
);
