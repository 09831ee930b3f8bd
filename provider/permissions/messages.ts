import type { Operation } from "../../platform/contract/api";
import type { Facts } from "../facts";

/** Operations that a group-scoped token can never run, each as a verb phrase. */
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

export const organizationTokenNeeded = ({ action, pinnedTo, wayOut }: Facts<"action" | "pinnedTo", "wayOut">) =>
  `a group-scoped API token cannot ${action} (this token is pinned to group ${pinnedTo}); use an organization-level token${wayOut === undefined ? "" : `, or ${wayOut}`}`;

export const scopesMissing = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const listed = new Intl.ListFormat("en-GB").format(scopes.map((scope) => `\`${scope}\``));
  return `the API token lacks the ${scopes.length === 1 ? "scope" : "scopes"} ${listed}`;
};

export const adminNeeded = (
  facts: Facts<"organization" | "username" | "role"> & {
    readonly work: "changing the settings" | "listing all API tokens" | "managing members" | "restoring";
  },
) =>
  `${facts.work} requires an admin or owner of organization "${facts.organization}", but "${facts.username}" is a ${facts.role}`;
