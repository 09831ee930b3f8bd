import { retrieveDatabaseConfiguration, updateDatabaseConfiguration } from "./configuration";
import {
  createDatabase,
  deleteDatabase,
  deleteDatabaseById,
  listDatabases,
  retrieveDatabase,
  retrieveDatabaseById,
} from "./database";
import { createGroup, deleteGroup, listDeletedGroups, listGroups, retrieveGroup } from "./group";
import { listLocations } from "./location";
import { retrieveMember, retrieveOrganization, retrieveUser, updateOrganization } from "./organization";
import { listDeletedDatabases, restoreDatabase } from "./recovery";
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
  listDeletedGroups,
  listDatabases,
  createDatabase,
  retrieveDatabase,
  deleteDatabase,
  retrieveDatabaseById,
  deleteDatabaseById,
  retrieveDatabaseConfiguration,
  updateDatabaseConfiguration,
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
