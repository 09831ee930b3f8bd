import { locationSetting } from "../../client/audit-log/acts";
import type { SettingChecks } from "../../client/audit-log/authors";
import type { PlatformContext } from "../../platform";
import { namingGroup } from "./reference";

interface GroupChanges {
  /** Set to `false` to unarchive the group. */
  readonly archived?: boolean | undefined;
  /** Codes of the group's locations except the primary location, before and after the change. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly deleteProtection?: boolean | undefined;
  readonly name?: string | undefined;
}

interface Step {
  archived?: boolean;
  locations?: string[];
  deleteProtection?: boolean;
}

/**
 * Changes a live group with several requests: one to unarchive it, one for each location, one for delete protection and
 * one for the name. The platform cannot combine these changes (wire-facts 2.2).
 *
 * @param completed Called after each request, with the properties that the request changed.
 * @throws Refusal if the platform refuses a request. The changes of earlier requests remain.
 */
export async function changeGroup(
  id: string,
  { archived, before, after, deleteProtection, name }: GroupChanges,
  context: PlatformContext,
  completed: (step: Step) => void,
): Promise<void> {
  const { api } = context.platform;
  const inGroup = namingGroup(id, context);
  // The group is unarchived first, because the platform may refuse other changes to an archived group.
  if (archived === false) {
    await inGroup((groupName) => api.unarchiveGroup({ groupName }));
    completed({ archived });
  }
  let locations = [...before];
  // Adds locations before removing others, so that a failure in between does not leave too few locations.
  for (const location of after.filter((code) => !before.includes(code))) {
    await inGroup((groupName) => api.addGroupLocation({ groupName, location }));
    locations = [...locations, location];
    completed({ locations });
  }
  for (const location of before.filter((code) => !after.includes(code))) {
    await inGroup((groupName) => api.removeGroupLocation({ groupName, location }));
    locations = locations.filter((code) => code !== location);
    completed({ locations });
  }
  if (deleteProtection !== undefined) {
    const body = { delete_protection: deleteProtection };
    await inGroup((groupName) => api.updateGroupConfiguration({ groupName, body }));
    completed({ deleteProtection });
  }
  // Renames the group last, because all other requests need the old name.
  if (name !== undefined) await inGroup((groupName) => api.renameGroup({ groupName, body: { name } }));
}

/** Returns the added and removed locations in the form that the audit-log search expects. */
export function changedLocationSettings(now: readonly string[], before: readonly string[]): SettingChecks {
  const changed = [...now, ...before].filter((code) => !(now.includes(code) && before.includes(code)));
  return Object.fromEntries(changed.map((code) => [locationSetting(code), (is) => is === now.includes(code)]));
}
