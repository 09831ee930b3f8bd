import { isRefusal, Refusal } from "../../platform/client/refusal";
import { PLAN_REFUSAL } from "../../platform/contract/error";
import { callerOf, isAdmin, unlessHidden } from "./caller";
import type { Platform } from "./platform";

/** What was found among the deleted, or why nothing could be seen there. */
export interface AmongDeleted<Found> {
  readonly deleted?: Found;
  readonly hidden?: string;
}

/** A plan that shows nothing deleted leaves the live list to decide; a credential that may not look decides nothing. */
export async function amongDeleted<Found>(
  what: string,
  look: () => Promise<Found | undefined>,
): Promise<AmongDeleted<Found>> {
  try {
    const deleted = await look();
    return deleted === undefined ? {} : { deleted };
  } catch (cause) {
    if (!isRefusal(cause, "forbidden")) throw cause;
    if (cause.code === PLAN_REFUSAL)
      return { hidden: "the plan of the organization does not show deleted databases and groups" };
    throw new Refusal("forbidden", {
      tried: cause.message,
      answer: `${what} is not live, and this credential may not ask whether it was deleted`,
      advice: "Use an organization-level API token, or for a database one with the scope `read`",
      cause,
    });
  }
}

/** §3: whether the window of what is not live has passed, by what was found among the deleted. */
export function windowPassed(what: string, { deleted, hidden }: AmongDeleted<unknown>): string | undefined {
  if (hidden) return `${hidden}, and restoring needs a paid one`;
  return deleted
    ? undefined
    : `the five days in which ${what} could be restored have passed: \`pulumi up --refresh\` creates an empty one (take \`import\` out first)`;
}

/** §7: whether the organization restores at all. */
export async function recoveryDisabled({ client, organization }: Platform): Promise<string | undefined> {
  const answer = await client.retrieveOrganization({ organizationSlug: organization.slug }).catch(unlessHidden);
  return answer?.organization.restore_enabled === false
    ? `recovery is disabled for organization "${organization.slug}": an admin or owner can enable it (restore_enabled)`
    : undefined;
}

/** §5 rule 8: whether the caller may. */
export async function roleTooLow(platform: Platform): Promise<string | undefined> {
  const caller = await callerOf(platform);
  return caller === undefined || isAdmin(caller)
    ? undefined
    : `restoring needs an admin or owner of organization "${platform.organization.slug}"; "${caller.username}" is a ${caller.role}`;
}
