import type { Operation } from "../platform/contract/api";

interface Lookup {
  readonly operation: Operation;
  /** Phrase that completes the sentence "The provider uses the operation …". */
  readonly purpose: string;
}

/**
 * Operations that the provider may use for any resource or function, each with its purpose. All other operations are
 * declared by the resources and functions that use them. docs/reference/operations.md shows the purposes.
 */
const LOOKUPS: readonly Lookup[] = [
  { operation: "retrieveUser", purpose: "to find out whose API token it uses" },
  {
    operation: "retrieveOrganization",
    purpose: "to find the organization's UUID, its plan, and whether deleted objects can be restored",
  },
  { operation: "retrieveMember", purpose: "to find out the role of the API token's user" },
  { operation: "retrieveOrganizationUsage", purpose: "for `getGroupUsage` with an organization-level token" },
  { operation: "listGroups", purpose: "to find a group by name or UUID" },
  {
    operation: "retrieveGroupById",
    purpose: "to confirm that a group exists, or that it belongs to the configured organization",
  },
  { operation: "listDeletedGroups", purpose: "to find groups that can be restored" },
  { operation: "listDatabases", purpose: "to find the databases in a group" },
  { operation: "retrieveDatabase", purpose: "to find a database by name" },
  { operation: "retrieveDatabaseById", purpose: "to confirm that a database exists" },
  { operation: "listDeletedDatabases", purpose: "to find databases that can be restored" },
  { operation: "validateApiToken", purpose: "to confirm that an API token was revoked" },
  { operation: "listAuditLogs", purpose: "to find out who changed or deleted an object" },
  { operation: "listLocations", purpose: "to check the locations of a group" },
];

/** Returns the purpose of an operation in `LOOKUPS`, or `undefined` for any other operation. */
export const purposeOfLookUp = (operation: Operation): string | undefined =>
  LOOKUPS.find((lookup) => lookup.operation === operation)?.purpose;

/** The operations that each command uses. `dbplatform scopes` sends no requests. */
export const COMMANDS: Readonly<Record<string, readonly Operation[]>> = {
  "dbplatform adopt": [
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
  "dbplatform restore": [
    "listGroups",
    "listDeletedGroups",
    "listDatabases",
    "listDeletedDatabases",
    "listAuditLogs",
    "restoreGroup",
    "restoreDatabase",
  ],
};
