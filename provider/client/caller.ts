import type { z } from "zod";
import { isRefusal } from "../../kit/refusal";
import type { Role } from "../../platform/contract/organization";
import type { OrganizationClient } from "./organization-client";

export interface Caller {
  readonly username: string;
  readonly role: z.output<ReturnType<typeof Role>>;
  /** Whether the user has enabled multi-factor authentication. Absent if the platform does not report it. */
  readonly hasMfa?: boolean | undefined;
}

/**
 * Returns the API token's user and that user's current role, or `undefined` if the token does not permit this request.
 */
export async function callerOf(api: OrganizationClient): Promise<Caller | undefined> {
  const user = (await api.retrieveUser().catch(unlessHidden))?.user;
  if (user === undefined) return undefined;
  const { username, mfa: hasMfa } = user;
  const answer = await api.retrieveMember({ username }).catch(unlessHidden);
  return answer && { username, role: answer.member.role, hasMfa };
}

export const isAdmin = ({ role }: Caller): boolean => role === "admin" || role === "owner";

/**
 * A `catch` handler that returns `undefined` if the credential may not see an object, and rethrows every other error.
 */
export function unlessHidden(refusal: unknown): undefined {
  if (!isRefusal(refusal, "forbidden", "absent")) throw refusal;
}
