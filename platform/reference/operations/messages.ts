import { message } from "../../values/message";

// Request fields

export const RESTORE_ENABLED_WITH_OTHERS = "restore_enabled must be updated on its own";
export const GROUP_AND_GROUP_ID = "specify group or group_id, not both";
export const USERNAME_MISSING = "username is required";
export const USERNAMES_DIFFER = "the request names different users";
export const EMAIL_OR_USERNAME = "specify either email or username";
export const SCHEMA_DATABASE = "schema databases are no longer supported";
export const SEED_NAME_MISSING = "seed.name is required when seed.type is database";
export const SEED_URL_MISSING = "seed.url must be an http(s) address when seed.type is dump";
export const TIMESTAMP_WITHOUT_DATABASE = "seed.timestamp is only allowed when seed.type is database";

export const GROUP_WITHOUT_ORGANIZATION = "a group-scoped token requires an organization";
export const SCOPES_WITHOUT_GROUP = "scopes require a group";
export const GROUP_WITHOUT_SCOPES = "a group-scoped token requires at least one scope";
export const invalidTokenName = message(
  (problem: string) => `invalid token name: ${problem}`,
  ["a name must not be empty"],
);
export const invalidScopes = message(
  (problem: string) => `invalid scopes: ${problem}`,
  ['"db:drop" is not a valid scope (read, db:create) or preset (read-only, full-access)'],
);

/** Explains why the status of a group's AWS migration is `none`. */
export const groupInAws = message((name: string) => `group ${name} is already in AWS`, ["default"]);
export const migrationNotStarted = message(
  (name: string) => `group ${name} is not in AWS; its migration was not started`,
  ["default"],
);
