import type { Operation } from "../../platform/contract/api";
import { message } from "../../platform/values/message";

/** Operations that no group-scoped token may run, in the words of messages. */
export const ORGANIZATION_LEVEL: Partial<Record<Operation, string>> = {
  createGroup: "create groups",
  deleteGroup: "delete groups",
  restoreGroup: "restore groups",
  createApiToken: "create API tokens",
  listApiTokens: "list API tokens",
  revokeApiToken: "revoke API tokens",
  listAuditLogs: "list audit logs",
  listDeletedGroups: "list deleted groups",
  retrieveOrganization: "read the organization's record",
};

/** @param operation One of `ORGANIZATION_LEVEL`. */
export const organizationTokenNeeded = message(
  (operation: string, groupId: string) =>
    `a group-scoped API token cannot ${operation} (this token is pinned to group ${groupId}); use an organization-level token`,
  ["create groups", "0a28102d-6906-11ee-8553-eaa7715aeaf2"],
);

export const scopeMissing = message((scope: string) => `the API token lacks the scope \`${scope}\``, ["db:create"]);
