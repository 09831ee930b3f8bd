import type { AnyFunction } from "../../kit/function";
import type { Operation } from "../../platform/contract/api";
import { getApiTokens } from "./get-api-tokens";
import { getAuditLogs } from "./get-audit-logs";
import { getDatabase } from "./get-database";
import { getDatabaseConfiguration } from "./get-database-configuration";
import { getDatabaseUsage } from "./get-database-usage";
import { getDatabases } from "./get-databases";
import { getDeletedDatabases } from "./get-deleted-databases";
import { getDeletedGroups } from "./get-deleted-groups";
import { getGroup } from "./get-group";
import { getGroupUsage } from "./get-group-usage";
import { getGroups } from "./get-groups";
import { getInstances } from "./get-instances";
import { getInvites } from "./get-invites";
import { getLocations } from "./get-locations";
import { getMembers } from "./get-members";
import { getOrganization } from "./get-organization";
import { getOrganizationUsage } from "./get-organization-usage";

export const functions: readonly AnyFunction<Operation>[] = [
  getOrganization,
  getLocations,
  getGroup,
  getGroups,
  getDatabase,
  getDatabases,
  getDatabaseConfiguration,
  getDeletedDatabases,
  getDeletedGroups,
  getApiTokens,
  getMembers,
  getInvites,
  getAuditLogs,
  getInstances,
  getDatabaseUsage,
  getGroupUsage,
  getOrganizationUsage,
];
