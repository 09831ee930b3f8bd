import { retrieveDatabaseConfiguration, updateDatabaseConfiguration } from "./configuration";
import {
  createDatabase,
  deleteDatabase,
  deleteDatabaseById,
  listDatabases,
  retrieveDatabase,
  retrieveDatabaseById,
  retrieveDatabaseUsage,
} from "./database";
import {
  addGroupLocation,
  createGroup,
  deleteGroup,
  listDeletedGroups,
  listGroups,
  removeGroupLocation,
  renameGroup,
  retrieveGroup,
  retrieveGroupConfiguration,
  transferGroup,
  updateGroupConfiguration,
} from "./group";
import { listLocations } from "./location";
import { retrieveMember, retrieveOrganization, retrieveUser, updateOrganization } from "./organization";
import { listDeletedDatabases, restoreDatabase, restoreGroup } from "./recovery";
import { createApiToken, listApiTokens, revokeApiToken, validateApiToken } from "./token";

/** Every operation, under the name of its client method, its handler and its journal entry. */
export const api = {
  retrieveOrganization,
  updateOrganization,
  retrieveMember,
  retrieveUser,
  listGroups,
  createGroup,
  retrieveGroup,
  deleteGroup,
  retrieveGroupConfiguration,
  updateGroupConfiguration,
  renameGroup,
  addGroupLocation,
  removeGroupLocation,
  transferGroup,
  listDeletedGroups,
  restoreGroup,
  listDatabases,
  createDatabase,
  retrieveDatabase,
  deleteDatabase,
  retrieveDatabaseById,
  deleteDatabaseById,
  retrieveDatabaseConfiguration,
  updateDatabaseConfiguration,
  retrieveDatabaseUsage,
  listDeletedDatabases,
  restoreDatabase,
  createApiToken,
  listApiTokens,
  revokeApiToken,
  validateApiToken,
  listLocations,
};

export type Api = typeof api;
export type Operation = keyof Api;
