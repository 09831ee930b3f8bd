import type { z } from "zod";
import { isRefusal } from "../../../kit/refusal";
import { credentialFailure, type PreflightFailure } from "../../../kit/resource/preflight";
import type { Role } from "../../../platform/contract/organization";
import type { PlatformContext } from "../../platform";

export interface Caller {
  readonly username: string;
  readonly role: z.output<ReturnType<typeof Role>>;
  /** Whether the user has enabled multi-factor authentication. Absent if the platform does not report it. */
  readonly hasMfa?: boolean | undefined;
}

/**
 * Returns the API token's user and that user's current role, or `undefined` if the token does not permit this request.
 */
export async function callerOf({ platform: { api } }: PlatformContext): Promise<Caller | undefined> {
  const user = (await api.retrieveUser().catch(unlessHidden))?.user;
  if (user === undefined) return undefined;
  const { username, mfa: hasMfa } = user;
  const answer = await api.retrieveMember({ username }).catch(unlessHidden);
  return answer && { username, role: answer.member.role, hasMfa };
}

/** Returns the API token's user, whose record is requested at most once per update. */
export const knownCaller = (context: PlatformContext): Promise<Caller | undefined> =>
  context.run.once("caller", () => callerOf(context));

/**
 * Returns a failure if the API token's user is known and is neither an admin nor an owner.
 *
 * @param explain Returns a message that says what the user's role does not allow.
 */
export async function roleTooLow(
  explain: (organization: string, username: string, role: string) => string,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const caller = await knownCaller(context);
  return caller === undefined || isAdmin(caller)
    ? undefined
    : credentialFailure(explain(context.platform.organization.slug, caller.username, caller.role));
}

export const isAdmin = ({ role }: Caller): boolean => role === "admin" || role === "owner";

/**
 * A `catch` handler that returns `undefined` if the credential may not see an object, and rethrows every other error.
 */
export function unlessHidden(refusal: unknown): undefined {
  if (!isRefusal(refusal, "forbidden", "absent")) throw refusal;
}
