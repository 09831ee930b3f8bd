import { apiToken } from "./api-token";
import { database } from "./database";
import { databaseConfiguration } from "./database-configuration";
import { databaseToken } from "./database-token";
import { group } from "./group";
import { groupToken } from "./group-token";
import type { AnyResource } from "./resource";
import { signingKeyRotation } from "./signing-key-rotation";

/** Every resource of the package. */
export const resources: readonly AnyResource[] = [
  group,
  database,
  databaseConfiguration,
  apiToken,
  databaseToken,
  groupToken,
  signingKeyRotation,
];
