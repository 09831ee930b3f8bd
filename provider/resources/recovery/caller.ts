import type { z } from "zod";
import { isRefusal } from "../../../platform/client/refusal";
import type { Role } from "../../../platform/contract/organization";
import type { ResourceContext } from "../../resource/context";

export interface Caller {
  readonly username: string;
  readonly role: z.output<typeof Role>;
}

/** The person behind the credential, with the role of now; `undefined` where the credential may not ask. */
export async function callerOf({ client, organization }: ResourceContext): Promise<Caller | undefined> {
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
