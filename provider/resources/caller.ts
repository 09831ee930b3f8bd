import type { z } from "zod";
import { isRefusal } from "../../platform/client/refusal";
import type { Role } from "../../platform/contract/organization";
import type { Scope } from "../../platform/values/scope";
import type { Platform } from "./platform";

export interface Caller {
  readonly username: string;
  readonly role: z.output<typeof Role>;
}

/** The person behind the credential, with the role of now; `undefined` where the credential may not ask. */
export async function callerOf({ client, organization }: Platform): Promise<Caller | undefined> {
  const username = (await client.retrieveUser({}).catch(unlessHidden))?.user.username;
  if (username === undefined) return undefined;
  const answer = await client.retrieveMember({ organizationSlug: organization.slug, username }).catch(unlessHidden);
  return answer && { username, role: answer.member.role };
}

export const isAdmin = ({ role }: Caller): boolean => role === "admin" || role === "owner";

/** For `catch`: what the credential may not see becomes `undefined`. */
export function unlessHidden(refusal: unknown): undefined {
  if (!isRefusal(refusal, "forbidden", "absent")) throw refusal;
}

/** Says so when a group-scoped token lacks a scope; other tokens have none, and may do what their minter may. */
export const scopeMissing = (scope: Scope, { credential }: Platform): string | undefined =>
  credential.scopes && !credential.scopes.includes(scope)
    ? `this needs the scope \`${scope}\`, which the group-scoped API token does not have`
    : undefined;

/** Says so when a group-scoped token is to do what only organization-level ones may (§5 rules 4, 7). @param what `create groups` */
export const organizationLevelMissing = (what: string, { credential }: Platform): string | undefined =>
  credential.groupId === undefined
    ? undefined
    : `a group-scoped API token cannot ${what}, and this one is pinned to group ${credential.groupId}: use an organization-level token`;
