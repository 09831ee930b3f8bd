import type { ResourceContext } from "../../resource/context";
import { namingGroup } from "./reference";

interface GroupChanges {
  /** Codes of the locations beside the primary one, as they are and as they shall be. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly deleteProtection?: boolean | undefined;
  readonly name?: string | undefined;
}

/** What a step has changed, in the words of the group's state. */
interface GroupStep {
  readonly locations?: string[];
  readonly deleteProtection?: boolean;
  readonly name?: string;
}

/**
 * Changes a live group with one request for each location, one for the protection and one for the name; the platform has
 * no operation that does several of these at once (wire-facts 2.2).
 *
 * @throws Refusal if the platform refuses a request. What was changed before it stays changed, and was reported as completed.
 */
export async function changeGroup(
  id: string,
  { before, after, deleteProtection, name }: GroupChanges,
  platform: ResourceContext,
  completed: (step: GroupStep) => void,
): Promise<void> {
  const { client, organization } = platform;
  const organizationSlug = organization.slug;
  const inGroup = namingGroup(id, platform);
  const locations = new Set(before);
  // Added before others are removed: a failure in between leaves a location too many, never one too few.
  for (const location of after.filter((code) => !before.includes(code))) {
    await inGroup((groupName) => client.addGroupLocation({ organizationSlug, groupName, location }));
    completed({ locations: [...locations.add(location)] });
  }
  for (const location of before.filter((code) => !after.includes(code))) {
    await inGroup((groupName) => client.removeGroupLocation({ organizationSlug, groupName, location }));
    locations.delete(location);
    completed({ locations: [...locations] });
  }
  if (deleteProtection !== undefined) {
    const body = { delete_protection: deleteProtection };
    await inGroup((groupName) => client.updateGroupConfiguration({ organizationSlug, groupName, body }));
    completed({ deleteProtection });
  }
  // Renamed last, since the other requests go by the name that the group had when it was looked up.
  if (name !== undefined)
    await inGroup((groupName) => client.renameGroup({ organizationSlug, groupName, body: { name } }));
}
