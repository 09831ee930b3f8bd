import { callerOf, isAdmin, unlessHidden } from "./caller";
import type { Platform } from "./platform";

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
