import type { ResourceContext } from "../../resource/context";
import { namingGroup } from "./reference";

interface GroupChanges {
  /** Codes of locations to add, and of locations to remove. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly deleteProtection?: boolean | undefined;
  readonly name?: string | undefined;
}

/**
 * Changes a live group with one request for each location, one for the protection and one for the name; the platform has
 * no operation that does several of these at once (wire-facts 2.2).
 *
 * @throws Refusal if the platform refuses a request. What was changed before it stays changed.
 */
export async function changeGroup(
  id: string,
  { added, removed, deleteProtection, name }: GroupChanges,
  platform: ResourceContext,
): Promise<void> {
  const { client, organization } = platform;
  const organizationSlug = organization.slug;
  const inGroup = namingGroup(id, platform);
  // Added before others are removed: a failure in between leaves a location too many, never one too few.
  for (const location of added)
    await inGroup((groupName) => client.addGroupLocation({ organizationSlug, groupName, location }));
  for (const location of removed)
    await inGroup((groupName) => client.removeGroupLocation({ organizationSlug, groupName, location }));
  if (deleteProtection !== undefined) {
    const body = { delete_protection: deleteProtection };
    await inGroup((groupName) => client.updateGroupConfiguration({ organizationSlug, groupName, body }));
  }
  // Renamed last, since the other requests go by the name that the group had when it was looked up.
  if (name !== undefined)
    await inGroup((groupName) => client.renameGroup({ organizationSlug, groupName, body: { name } }));
}
