import type { ResourceContext } from "../../resource/context";
import { namingGroup } from "./reference";

interface GroupChanges {
  /** Codes of its locations beside the primary one, as they are and as they are to be. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly deleteProtection?: boolean | undefined;
  readonly name?: string | undefined;
}

/** What one request has changed. */
interface Step {
  locations?: string[];
  deleteProtection?: boolean;
}

/**
 * Changes a live group with one request for each location, one for the protection and one for the name; the platform has
 * no operation that does several of these at once (wire-facts 2.2).
 *
 * @param completed Called with what each request has changed, before the next one is sent.
 * @throws Refusal if the platform refuses a request. What was changed before it stays changed.
 */
export async function changeGroup(
  id: string,
  { before, after, deleteProtection, name }: GroupChanges,
  platform: ResourceContext,
  completed: (step: Step) => void,
): Promise<void> {
  const { client, organization } = platform;
  const organizationSlug = organization.slug;
  const inGroup = namingGroup(id, platform);
  let locations = [...before];
  // Added before others are removed: a failure in between leaves a location too many, never one too few.
  for (const location of after.filter((code) => !before.includes(code))) {
    await inGroup((groupName) => client.addGroupLocation({ organizationSlug, groupName, location }));
    locations = [...locations, location];
    completed({ locations });
  }
  for (const location of before.filter((code) => !after.includes(code))) {
    await inGroup((groupName) => client.removeGroupLocation({ organizationSlug, groupName, location }));
    locations = locations.filter((code) => code !== location);
    completed({ locations });
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
