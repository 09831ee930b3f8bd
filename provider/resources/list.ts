import { apiToken } from "./api-token";
import { database } from "./database";
import type { AnyResource } from "./resource";

/** Every resource of the package. */
export const resources: readonly AnyResource[] = [database, apiToken];
