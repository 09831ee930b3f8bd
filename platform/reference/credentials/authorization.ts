import * as z from "zod";
import type { Access, Endpoint } from "../../contract/endpoint";
import { FREE_PLAN } from "../../contract/organization";
import { refuse } from "../messages";
import type { State } from "../store/schema";
import type { AccessScope } from "./access-scope";
import { findMembership, findOrganization, type Organization, type OrganizationName, type User } from "./membership";
import type { Signer } from "./signer";
import { findTokenByJti } from "./tokens";

/** The person behind a credential, and the restrictions of the credential (§5 rule 3). */
export interface Caller {
  readonly user: User;
  readonly token: { readonly id: string; readonly name: string };
  readonly organizationId?: string;
  readonly group?: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
}

/** Authenticates a request (§5 rule 1). A revoked token is rejected like an unknown token. */
export async function authenticate(state: State, signer: Signer, authorization: string | undefined): Promise<Caller> {
  const credential = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";
  const token = await findTokenByJti(state, await signer.jtiHashOf(state, credential));
  if (!token) throw refuse.tokenUnknown();
  const { user_id, username, full_name, email, id, name, organization_id, group_id, group_name, scopes } = token;
  return {
    user: { id: user_id, username, name: full_name, email },
    token: { id, name },
    ...(organization_id !== null && { organizationId: organization_id }),
    ...(group_id !== null && { group: { id: group_id, name: group_name ?? "", scopes: JSON.parse(scopes ?? "[]") } }),
  };
}

/** The fields of a parsed request that determine who may send it. */
export interface RequestFields {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface AccessContext {
  readonly caller: Caller;
  readonly state: State;
}

const RANKS = ["viewer", "member", "admin", "owner"];

/**
 * Throws unless the caller may make the request (§5). No other module makes access decisions.
 *
 * @returns The part of the organization that the caller can see; `undefined` if the request names no organization.
 */
export async function authorize(
  endpoint: Endpoint,
  request: RequestFields,
  { caller, state }: AccessContext,
): Promise<AccessScope | undefined> {
  const { access } = endpoint;
  if (access.level === "any") return undefined;
  const named = namesInRequest(endpoint, request);
  if (named.organization === undefined) return authorizePerson(access, caller);

  const { organization, role } = await membershipIn(named.organization, { caller, state });
  if (caller.group) authorizeGroupToken(access, named, caller.group);
  const least = (named.group !== undefined && access.groupRole) || access.role;
  const isSelf = access.orSelf && request.params.username === caller.user.username;
  if (!isSelf) requireRole({ ...access, role: least }, role);
  if (access.plan && organization.plan === FREE_PLAN) throw refuse.paidPlanRequired();
  return accessScopeOf(organization, caller, roleRank(role) >= roleRank("admin") ? {} : { tokensOf: caller.user.id });
}

/**
 * Throws unless the caller may also act on a second organization, such as the target of a transfer. The same rules
 * apply to both organizations, so a credential that is restricted to the first gets 404 for the second (§5 rule 3).
 */
export async function authorizeElsewhere(
  { access }: Endpoint,
  slug: string,
  asked: AccessContext,
): Promise<Organization> {
  const { organization, role } = await membershipIn({ slug }, asked);
  requireRole(access, role);
  if (access.plan && organization.plan === FREE_PLAN) throw refuse.paidPlanRequired();
  return organization;
}

/** Throws 404 for an organization that the caller does not belong to or that the credential may not access. */
async function membershipIn(
  named: OrganizationName,
  { caller, state }: AccessContext,
): Promise<{ organization: Organization; role: string }> {
  const organization = await findMembership(state, named, caller.user.id);
  const restrictedTo = caller.organizationId ?? organization?.id;
  if (!organization || organization.id !== restrictedTo) throw refuse.organizationNotFound();
  return { organization, role: organization.role };
}

function requireRole({ role: least, doing }: Pick<Access, "role" | "doing">, role: string): void {
  if (least && roleRank(role) < roleRank(least)) throw refuse.roleTooLow({ leastRole: least, doing });
}

/**
 * Throws unless the caller may use an operation whose access level is `user`. Some of these operations reject
 * credentials that are restricted to one organization.
 */
function authorizePerson(access: Access, caller: Caller): undefined {
  if (caller.group) throw refuse.organizationLevel();
  if (access.names === "body" && caller.organizationId) throw refuse.unrestrictedTokenForbidden();
  if (access.unrestricted && caller.organizationId) throw refuse.otherOrganizationsForbidden();
}

/** Applies §5 rules 3, 5 and 7 to a group-scoped token. */
function authorizeGroupToken(access: Access, named: Names, own: NonNullable<Caller["group"]>): void {
  if (access.level !== "group") throw refuse.organizationLevel();
  if (access.scope && !own.scopes.includes(access.scope)) throw refuse.missingScope({ scope: access.scope });
  if (named.needsGroup && named.group === undefined && named.groupId === undefined) throw refuse.groupUnnamed();
  if (named.group !== undefined && named.group !== own.name) throw refuse.foreignGroup({ group: named.group });
  if (named.groupId !== undefined && named.groupId !== own.id) throw refuse.foreignGroup({ group: named.groupId });
}

interface Names {
  readonly organization?: OrganizationName;
  readonly group?: string;
  readonly groupId?: string;
  readonly needsGroup: boolean;
}

function namesInRequest({ access: { names }, body: shape }: Endpoint, { params, body }: RequestFields): Names {
  const inBody = fieldsOf(body);
  const slug = names === "body" ? inBody.organization : params.organizationSlug;
  const id = params.organizationId;
  const group = params.groupName ?? inBody.group;
  const groupId = inBody.group_id;
  return {
    ...(typeof slug === "string" && slug !== "" && { organization: { slug } }),
    ...(typeof id === "string" && { organization: { id } }),
    ...(typeof group === "string" && group !== "" && { group }),
    ...(typeof groupId === "string" && { groupId: groupId.toLowerCase() }),
    needsGroup: shape instanceof z.ZodObject && ("group" in shape.shape || "group_id" in shape.shape),
  };
}

/**
 * Returns the slug of the organization that a v1 path without a slug refers to: the organization to which the
 * credential is restricted, otherwise the personal account, whose slug is the username.
 */
export async function ownOrganizationOf({ organizationId, user }: Caller, state: State): Promise<string> {
  const own = organizationId === undefined ? undefined : await findOrganization(state, { id: organizationId });
  return own?.slug ?? user.username;
}

/** Returns the slug or UUID of every organization that a request names. */
export function organizationsNamedIn({ params, body }: RequestFields): string[] {
  const inBody = fieldsOf(body);
  const named = [params.organizationSlug, params.organizationId, inBody.organization, inBody.org];
  return named.filter((name) => typeof name === "string" && name !== "") as string[];
}

const accessScopeOf = (
  organization: Organization,
  { group }: Caller,
  rest: Pick<AccessScope, "tokensOf">,
): AccessScope => ({
  organization,
  ...(group && { groupId: group.id }),
  ...rest,
});

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};

const roleRank = (role: string): number => RANKS.indexOf(role);
