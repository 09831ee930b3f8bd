import type { AnyFunction } from "../../kit/function";
import type { Operation } from "../../platform/contract/api";
import { getAuditLogs } from "./audit-logs";
import { getDatabase, getDatabaseConfiguration, getDatabases, getDeletedDatabases, getInstances } from "./databases";
import { getDeletedGroups, getGroup, getGroups } from "./groups";
import { getApiTokens, getInvites, getLocations, getMembers, getOrganization } from "./organization";
import { getDatabaseUsage, getGroupUsage, getOrganizationUsage } from "./usage";

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
