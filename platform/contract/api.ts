import { listAuditLogs } from "./audit-log";
import {
  listInvoices,
  listOrganizationPlans,
  listPlans,
  openBillingPortal,
  retrieveBillingCustomer,
  retrievePaymentMethods,
  retrieveSubscription,
  updateSubscription,
} from "./billing";
import { retrieveDatabaseConfiguration, updateDatabaseConfiguration } from "./configuration";
import { deleteDatabase, listDatabases, retrieveDatabase } from "./database";
import { deleteDatabaseById, listDatabasesById, retrieveDatabaseById } from "./database-by-id";
import { createDatabase, createDatabaseById } from "./database-creation";
import { transferDatabase, updateDatabaseVersion, wakeDatabase } from "./database-upkeep";
import { seedDatabase, uploadDump } from "./dump";
import {
  createGroup,
  deleteGroup,
  listDeletedGroups,
  listGroups,
  renameGroup,
  retrieveGroup,
  retrieveGroupConfiguration,
  transferGroup,
  updateGroupConfiguration,
} from "./group";
import { listGroupsById, retrieveGroupById } from "./group-by-id";
import { addGroupLocation, awaitGroupLocation, removeGroupLocation } from "./group-location";
import { retrieveAwsMigration, unarchiveGroup, updateGroupVersion } from "./group-upkeep";
import { addInstance, awaitInstance, listInstances, removeInstance, retrieveInstance } from "./instance";
import { createInvite, deleteInvite, listInvites } from "./invite";
import { listLocations, listLocationsByPlatform, listOrganizationLocations, retrieveLocation } from "./location";
import { addMember, listMembers, removeMember, retrieveMember, updateMember } from "./member";
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  listOrganizationsAsObject,
  retrieveOrganization,
  updateOrganization,
} from "./organization";
import { listDeletedDatabases, restoreDatabase, restoreGroup } from "./recovery";
import {
  createDatabaseToken,
  createDatabaseTokenById,
  createGroupToken,
  createGroupTokenById,
  rotateDatabaseTokens,
  rotateGroupTokens,
} from "./sql-token";
import {
  createApiToken,
  createNestedApiToken,
  invalidateApiTokens,
  listApiTokens,
  listOwnApiTokens,
  revokeApiToken,
  revokeOwnApiToken,
  validateApiToken,
} from "./token";
import { listTopQueries, retrieveDatabaseStats, retrieveDatabaseUsage, retrieveOrganizationUsage } from "./usage";
import { retrieveUser } from "./user";

/** All operations of the platform, by name. Client methods, handlers and journal entries use the same names. */
export const api = {
  retrieveUser,
  listOrganizations,
  listOrganizationsAsObject,
  createOrganization,
  retrieveOrganization,
  updateOrganization,
  deleteOrganization,
  listMembers,
  addMember,
  retrieveMember,
  updateMember,
  removeMember,
  listInvites,
  createInvite,
  deleteInvite,
  retrieveOrganizationUsage,
  listPlans,
  listOrganizationPlans,
  retrieveSubscription,
  updateSubscription,
  listInvoices,
  openBillingPortal,
  retrievePaymentMethods,
  retrieveBillingCustomer,
  listGroups,
  createGroup,
  retrieveGroup,
  deleteGroup,
  retrieveGroupConfiguration,
  updateGroupConfiguration,
  renameGroup,
  addGroupLocation,
  removeGroupLocation,
  awaitGroupLocation,
  unarchiveGroup,
  updateGroupVersion,
  retrieveAwsMigration,
  transferGroup,
  listGroupsById,
  retrieveGroupById,
  listDeletedGroups,
  restoreGroup,
  listDatabases,
  createDatabase,
  createDatabaseById,
  retrieveDatabase,
  deleteDatabase,
  listDatabasesById,
  retrieveDatabaseById,
  deleteDatabaseById,
  retrieveDatabaseConfiguration,
  updateDatabaseConfiguration,
  uploadDump,
  seedDatabase,
  wakeDatabase,
  updateDatabaseVersion,
  transferDatabase,
  retrieveDatabaseUsage,
  retrieveDatabaseStats,
  listTopQueries,
  listInstances,
  retrieveInstance,
  addInstance,
  removeInstance,
  awaitInstance,
  createDatabaseToken,
  createDatabaseTokenById,
  createGroupToken,
  createGroupTokenById,
  rotateDatabaseTokens,
  rotateGroupTokens,
  listDeletedDatabases,
  restoreDatabase,
  createApiToken,
  createNestedApiToken,
  listOwnApiTokens,
  revokeOwnApiToken,
  invalidateApiTokens,
  listApiTokens,
  revokeApiToken,
  validateApiToken,
  listAuditLogs,
  listLocations,
  retrieveLocation,
  listLocationsByPlatform,
  listOrganizationLocations,
};

export type Api = typeof api;
export type Operation = keyof Api;
