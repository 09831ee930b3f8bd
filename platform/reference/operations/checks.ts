import type { Api, Operation } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { tokenNameProblem } from "../../values/name";
import { scopeProblem } from "../../values/scope";

/** Checks beyond the schema that do not depend on the caller. A problem is answered with 400. */
export const checks: { readonly [Name in Operation]?: (request: Received<Api[Name]>) => string | undefined } = {
  /** Documented in wire-facts 1.3. */
  updateOrganization: ({ body: { restore_enabled, overages, require_mfa } }) =>
    restore_enabled !== undefined && (overages !== undefined || require_mfa !== undefined)
      ? "restore_enabled must be updated on its own"
      : undefined,

  createDatabase: ({ body }) => creationProblem(body),
  createDatabaseById: ({ body }) =>
    body.group && body.group_id ? "a group is named by its name or its UUID, not by both" : creationProblem(body),

  addMember({ params, body }) {
    const names = new Set([params.username, body.username, body.member].filter((name) => name !== undefined));
    if (names.size === 0) return "username: the user must be named";
    return names.size > 1 ? "the request names different users" : undefined;
  },

  createInvite: ({ body: { email, username } }) =>
    (email === undefined) === (username === undefined) ? "either an email or a username must be given" : undefined,

  createApiToken: newTokenProblem,
  createNestedApiToken: newTokenProblem,
};

interface Creation {
  seed?: { type: string; name?: string; value?: string; url?: string; timestamp?: string } | null;
  is_schema?: boolean | null;
  schema?: string | null;
}

/** Wire-facts 3.3. Refuses discontinued options, because ignoring them would create something else. */
function creationProblem({ seed, is_schema, schema }: Creation): string | undefined {
  if (is_schema || schema) return "schema databases are no longer offered";
  if (seed?.type === "database" && !(seed.name || seed.value)) return "a seed of a database requires its name";
  if (seed?.type === "dump" && !/^https?:\/\/./i.test(seed.url ?? ""))
    return "a seed of a dump requires its http(s) url";
  if (seed?.timestamp && seed.type !== "database") return "a timestamp is for a seed of a database";
  return undefined;
}

type NewToken = Pick<Received<Api["createApiToken"]>, "params" | "body">;

/** Wire-facts 5.1: group and scopes require each other and an organization. */
function newTokenProblem({ params, body: { organization, group, scopes } = {} }: NewToken): string | undefined {
  const problem = tokenNameProblem(params.tokenName);
  if (problem) return `invalid token name: ${problem}`;
  if (!group && !scopes) return undefined;
  if (!organization) return "a group-scoped token requires an organization";
  if (!group) return "scopes require a group";
  if (!scopes?.length) return "a group-scoped token requires at least one scope";
  const unknown = scopes.map(scopeProblem).find((found) => found !== undefined);
  return unknown && `invalid scopes: ${unknown}`;
}
