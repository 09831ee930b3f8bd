import type { Api, Operation } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { tokenNameProblem } from "../../values/name";
import { scopeProblem } from "../../values/scope";

/** What is wrong with a request beyond the shape of its parts, whoever sends it: 400. */
export const checks: { readonly [Name in Operation]?: (request: Received<Api[Name]>) => string | undefined } = {
  /** Wire-facts 1.3. */
  updateOrganization: ({ body: { restore_enabled, overages, require_mfa } }) =>
    restore_enabled !== undefined && (overages !== undefined || require_mfa !== undefined)
      ? "restore_enabled must be updated on its own"
      : undefined,

  /** Wire-facts 5.1: all three, or no group and no scopes. */
  createApiToken({ params, body: { organization, group, scopes } = {} }) {
    const problem = tokenNameProblem(params.tokenName);
    if (problem) return `invalid token name: ${problem}`;
    if (!group && !scopes) return undefined;
    if (!organization) return "a group-scoped token requires an organization";
    if (!group) return "scopes require a group";
    if (!scopes?.length) return "a group-scoped token requires at least one scope";
    const unknown = scopes.map(scopeProblem).find((found) => found !== undefined);
    return unknown && `invalid scopes: ${unknown}`;
  },
};
