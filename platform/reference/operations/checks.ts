import type { Api, Operation } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { tokenNameProblem } from "../../values/name";
import { scopeProblem } from "../../values/scope";
import {
  EMAIL_OR_USERNAME,
  GROUP_AND_GROUP_ID,
  GROUP_WITHOUT_ORGANIZATION,
  GROUP_WITHOUT_SCOPES,
  invalidScopes,
  invalidTokenName,
  RESTORE_ENABLED_WITH_OTHERS,
  SCHEMA_DATABASE,
  SCOPES_WITHOUT_GROUP,
  SEED_NAME_MISSING,
  SEED_URL_MISSING,
  TIMESTAMP_WITHOUT_DATABASE,
  USERNAME_MISSING,
  USERNAMES_DIFFER,
} from "./messages";

/**
 * Validation rules that the schema cannot express and that do not depend on the caller, by operation. A request that
 * breaks a rule gets status 400.
 */
export const checks: { readonly [Name in Operation]?: (request: Received<Api[Name]>) => string | undefined } = {
  /** Rejects `restore_enabled` together with any other field (wire-facts 1.3). */
  updateOrganization: ({ body: { restore_enabled, overages, require_mfa } }) =>
    restore_enabled !== undefined && (overages !== undefined || require_mfa !== undefined)
      ? RESTORE_ENABLED_WITH_OTHERS
      : undefined,

  createDatabase: ({ body }) => creationProblem(body),
  createDatabaseById: ({ body }) => (body.group && body.group_id ? GROUP_AND_GROUP_ID : creationProblem(body)),

  addMember({ params, body }) {
    const names = new Set([params.username, body.username, body.member].filter((name) => name !== undefined));
    if (names.size === 0) return USERNAME_MISSING;
    return names.size > 1 ? USERNAMES_DIFFER : undefined;
  },

  createInvite: ({ body: { email, username } }) =>
    (email === undefined) === (username === undefined) ? EMAIL_OR_USERNAME : undefined,

  createApiToken: newTokenProblem,
  createNestedApiToken: newTokenProblem,
};

interface Creation {
  seed?: { type: string; name?: string; value?: string; url?: string; timestamp?: string } | null;
  is_schema?: boolean | null;
  schema?: string | null;
}

/**
 * Validates the options of a new database (wire-facts 3.3). Discontinued options are rejected, because ignoring them
 * would create a database other than the one requested.
 */
function creationProblem({ seed, is_schema, schema }: Creation): string | undefined {
  if (is_schema || schema) return SCHEMA_DATABASE;
  if (seed?.type === "database" && !(seed.name || seed.value)) return SEED_NAME_MISSING;
  if (seed?.type === "dump" && !/^https?:\/\/./i.test(seed.url ?? "")) return SEED_URL_MISSING;
  if (seed?.timestamp && seed.type !== "database") return TIMESTAMP_WITHOUT_DATABASE;
  return undefined;
}

type NewToken = Pick<Received<Api["createApiToken"]>, "params" | "body">;

/**
 * Validates the options of a new token (wire-facts 5.1): `group` and `scopes` must be given together, and require
 * `organization`.
 */
function newTokenProblem({ params, body: { organization, group, scopes } = {} }: NewToken): string | undefined {
  const problem = tokenNameProblem(params.tokenName);
  if (problem) return invalidTokenName(problem);
  if (!group && !scopes) return undefined;
  if (!organization) return GROUP_WITHOUT_ORGANIZATION;
  if (!group) return SCOPES_WITHOUT_GROUP;
  if (!scopes?.length) return GROUP_WITHOUT_SCOPES;
  const unknown = scopes.map(scopeProblem).find((found) => found !== undefined);
  return unknown && invalidScopes(unknown);
}
