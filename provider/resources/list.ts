import { apiToken } from "./api-token";
import { database } from "./database";
import { databaseConfiguration } from "./database-configuration";
import { group } from "./group";
import type { AnyResource } from "./resource";

/** Every resource of the package. */
export const resources: readonly AnyResource[] = [group, database, databaseConfiguration, apiToken];
