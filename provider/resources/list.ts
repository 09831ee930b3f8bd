import type { AnyResource } from "../../kit/definition";
import { database } from "./database/database";
import { databaseConfiguration } from "./database/database-configuration";
import { group } from "./group/group";
import { databaseMigrations } from "./migrations/database-migrations";
import { invite } from "./organization/invite";
import { member } from "./organization/member";
import { organizationSettings } from "./organization/organization-settings";
import { apiToken } from "./token/api-token";
import { databaseToken } from "./token/database-token";
import { groupToken } from "./token/group-token";
import { signingKeyRotation } from "./token/signing-key-rotation";

export const resources: readonly AnyResource[] = [
  group,
  database,
  databaseConfiguration,
  databaseMigrations,
  apiToken,
  databaseToken,
  groupToken,
  signingKeyRotation,
  organizationSettings,
  member,
  invite,
];
