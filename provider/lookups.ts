import type { Operation } from "../platform/contract/api";

/**
 * The operations that the provider uses for any resource or function, with the purpose. Resources and functions declare
 * all others themselves. docs/reference/operations.md shows the purposes (decision 156).
 */
export const LOOKUPS: Readonly<Partial<Record<Operation, string>>> = {
  retrieveUser: "to find out whose API token it uses",
  retrieveOrganization: "to find the organization's UUID, its plan, and whether deleted objects can be restored",
  retrieveMember: "to find out the role of the API token's user",
  retrieveOrganizationUsage: "for `getGroupUsage` with an organization-level token",
  listGroups: "to find a group by name or UUID",
  retrieveGroupById: "to confirm that a group exists, or that it belongs to the configured organization",
  listDeletedGroups: "to find groups that can be restored",
  listDatabases: "to find the databases in a group",
  retrieveDatabase: "to find a database by name",
  retrieveDatabaseById: "to confirm that a database exists",
  listDeletedDatabases: "to find databases that can be restored",
  validateApiToken: "to confirm that an API token was revoked",
  listAuditLogs: "to find out who changed or deleted an object",
  listLocations: "to check the locations of a group",
};

/** The other operations that each command uses. `dbplatform-scopes` sends no request. */
export const COMMANDS: Readonly<Record<string, readonly Operation[]>> = {
  "dbplatform-adopt": [
    "listGroups",
    "listDeletedGroups",
    "listDatabases",
    "listDeletedDatabases",
    "retrieveDatabaseConfiguration",
    "listApiTokens",
    "listMembers",
    "listInvites",
    "listAuditLogs",
  ],
};
