import * as z from "zod";
import type { Access, Endpoint } from "../../contract/endpoint";
import { refuse } from "../refusal";
import type { AccessScope } from "../store/access-scope";
import { findMembership, findOrganization, type Organization, type OrganizationName } from "../store/organizations";
import type { State } from "../store/schema";
import type { Caller } from "./caller";

/** A request as far as access is concerned, already parsed. */
export interface Named {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Who asks, and where the answer is looked up. */
interface Asked {
  readonly caller: Caller;
  readonly state: State;
}

export const FREE_PLAN = "starter";
const RANKS = ["viewer", "member", "admin", "owner"];

/**
 * Whether the caller may do this (§5), and what of the organization it then can see; nothing else decides it.
 * `undefined` where the request names no organization.
 */
export async function authorize(
  endpoint: Endpoint,
  request: Named,
  { caller, state }: Asked,
): Promise<AccessScope | undefined> {
  const { access } = endpoint;
  if (access.level === "any") return undefined;
  const named = namesOf(endpoint, request);
  if (named.organization === undefined) return authorizePerson(access, caller);

  const { organization, role } = await membershipIn(named.organization, { caller, state });
  if (caller.group) authorizeGroupToken(access, named, caller.group);
  const least = (named.group !== undefined && access.groupRole) || access.role;
  const isSelf = access.orSelf && request.params.username === caller.user.username;
  if (!isSelf) requireRole({ ...access, role: least }, role);
  if (access.plan && organization.plan === FREE_PLAN) throw refuse.plan();
  return reachOf(organization, caller, rank(role) >= rank("admin") ? {} : { tokensOf: caller.user.id });
}

/**
 * The other organization that a request concerns, such as the target of a transfer: the same is asked there, so a
 * credential that is restricted to one organization does not find it (§5 rule 3).
 */
export async function authorizeElsewhere({ access }: Endpoint, slug: string, asked: Asked): Promise<Organization> {
  const { organization, role } = await membershipIn({ slug }, asked);
  requireRole(access, role);
  if (access.plan && organization.plan === FREE_PLAN) throw refuse.plan();
  return organization;
}

/** An organization that the caller does not belong to, or the credential does not reach, is not found. */
async function membershipIn(
  named: OrganizationName,
  { caller, state }: Asked,
): Promise<{ organization: Organization; role: string }> {
  const organization = await findMembership(state, named, caller.user.id);
  const restrictedTo = caller.organizationId ?? organization?.id;
  if (!organization || organization.id !== restrictedTo) throw refuse.organizationNotFound();
  return { organization, role: organization.role };
}

function requireRole({ role: least, doing }: Pick<Access, "role" | "doing">, role: string): void {
  if (least && rank(role) < rank(least)) throw refuse.role(least, doing);
}

/** For the person, not for an organization: some of it is beyond a restricted credential. */
function authorizePerson(access: Access, caller: Caller): undefined {
  if (caller.group) throw refuse.organizationLevel();
  if (access.names === "body" && caller.organizationId) throw refuse.beyondOrganization("create an unrestricted token");
  if (access.unrestricted && caller.organizationId) throw refuse.beyondOrganization("act outside its organization");
}

/** §5 rules 3, 5 and 7. */
function authorizeGroupToken(access: Access, named: Names, own: NonNullable<Caller["group"]>): void {
  if (access.level !== "group") throw refuse.organizationLevel();
  if (access.scope && !own.scopes.includes(access.scope)) throw refuse.missingScope(access.scope);
  if (named.needsGroup && named.group === undefined && named.groupId === undefined) throw refuse.groupUnnamed();
  if (named.group !== undefined && named.group !== own.name) throw refuse.foreignGroup(named.group);
  if (named.groupId !== undefined && named.groupId !== own.id) throw refuse.foreignGroup(named.groupId);
}

interface Names {
  readonly organization?: OrganizationName;
  readonly group?: string;
  readonly groupId?: string;
  /** Makes something in a group, which it names in the body. */
  readonly needsGroup: boolean;
}

function namesOf({ access: { names }, body: shape }: Endpoint, { params, body }: Named): Names {
  const inBody = recordOf(body);
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
 * The slug that a v1 path without one stands for: the organization that the credential is restricted to, else the
 * personal account, which is named like its user.
 */
export async function ownOrganization({ organizationId, user }: Caller, state: State): Promise<string> {
  const own = organizationId === undefined ? undefined : await findOrganization(state, { id: organizationId });
  return own?.slug ?? user.username;
}

/** The slugs or UUIDs by which the request names organizations, wherever it does. */
export function organizationsNamed({ params, body }: Named): string[] {
  const inBody = recordOf(body);
  const named = [params.organizationSlug, params.organizationId, inBody.organization, inBody.org];
  return named.filter((name) => typeof name === "string" && name !== "") as string[];
}

const reachOf = (organization: Organization, { group }: Caller, rest: Pick<AccessScope, "tokensOf">): AccessScope => ({
  organization,
  ...(group && { groupId: group.id }),
  ...rest,
});

const recordOf = (body: unknown): Record<string, unknown> =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};

const rank = (role: string): number => RANKS.indexOf(role);
