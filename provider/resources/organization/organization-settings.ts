import * as z from "zod";
import type { PreflightFailure } from "../../../kit/preflight";
import { canonicalUuid } from "../../../platform/values/uuid";
import type { TokenUser } from "../../client/credential";
import { explainAccess, permissionsFor, rolePermissionFailure, tokenUser } from "../../permissions/permissions";
import { field, type PlatformContext, resource } from "../../platform";
import { renaming } from "../../renaming";
import { idSpelling } from "../messages";
import { importByOrganizationId, mayLoseAccess, otherOrganizationImported, settingsUnmanaged } from "./messages";

type Settings = Partial<Record<"overages" | "requireMfa" | "restoreEnabled", boolean | undefined>>;

const names = renaming({ overages: "overages", requireMfa: "require_mfa", restoreEnabled: "restore_enabled" });

// No setting has a default, so removing a property from the program never changes the setting. Otherwise a missing line
// could switch off the second factor of all members, or allow costs.
export const organizationSettings = resource({
  type: "OrganizationSettings",
  description:
    "The settings of the organization that the provider is configured for. A program declares them once. Omitted properties are not managed; a property that is removed from the program keeps its value. Deleting this resource changes nothing on the platform, and a warning lists the settings that remain.",
  inputs: {
    overages: field.plain(z.boolean().optional(), {
      describe: "Whether use beyond the plan is allowed and billed.",
    }),
    requireMfa: field.plain(z.boolean().optional(), { describe: "Whether members must use a second factor." }),
    restoreEnabled: field.plain(z.boolean().optional(), {
      describe: "Whether deleted databases and groups can be restored.",
    }),
  },
  outputs: { organizationId: field.output(z.uuid(), { describe: "UUID of the organization." }) },
  permissions: permissionsFor({
    read: ["retrieveOrganization"],
    create: ["updateOrganization"],
    update: ["updateOrganization"],
  }),
  importing: {
    name: "settings",
    id: "<UUID>",
    description: "The id is the UUID of the organization, which `getOrganization` returns as `id`.",
    async problem(id, { platform: { organization } }) {
      const configured = { slug: organization.slug, id: await organization.id() };
      if (id === configured.id) return undefined;
      const uuid = canonicalUuid(id);
      if (uuid === configured.id) return idSpelling({ kind: "organization", idName: "UUID", id: uuid });
      return uuid === undefined
        ? importByOrganizationId({ importedId: id, configured })
        : otherOrganizationImported({ importedId: uuid, configured });
    },
  },
  single: "an organization",
  lasting: {
    idOf: (_wanted, { platform: { organization } }) => organization.id(),
    subject: (_id, { platform: { organization } }) => `organization "${organization.slug}"`,
  },

  async read(_id, context) {
    const { organization } = context.platform;
    const known = context.maxAge && (await organization.known());
    const record = known ?? (await explainAccess("retrieveOrganization", context, () => organization.record()));
    return settingsStateOf(record, record.id);
  },

  // Sends only the first change request, even if several are needed. The kit sends the remaining changes as an update,
  // so that the state records the first change even if a later request fails.
  async create(wanted, context) {
    const { organization } = context.platform;
    const id = await organization.id();
    const [first] = settingsRequests(wanted);
    if (first) return { id, state: await sendSettings(first, context) };
    return { id, state: settingsStateOf(await organization.record(), id) };
  },

  async update(_id, changes, context) {
    let settled = {};
    for (const request of settingsRequests(changes)) {
      settled = await sendSettings(request, context);
      context.done(settled);
    }
    return settled;
  },

  checks: {
    create: settingsChangeFailure,
    update: (_id, changes, context) => settingsChangeFailure(changes, context),
  },

  async delete(_id, { now, platform: { organization }, warn }) {
    const { overages, requireMfa, restoreEnabled } = now;
    const settings = Object.entries({ overages, requireMfa, restoreEnabled })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}`);
    warn(settingsUnmanaged({ organization: organization.slug, assignments: settings }));
  },
});

/**
 * Divides changes into requests, because the platform accepts `restore_enabled` only in a separate request (wire-facts
 * 1.3). Recovery is enabled before all other changes and disabled after them.
 */
function settingsRequests({ restoreEnabled, overages, requireMfa }: Settings): readonly Settings[] {
  const others = { overages, requireMfa };
  const requests = restoreEnabled ? [{ restoreEnabled }, others] : [others, { restoreEnabled }];
  return requests.filter((request) => Object.values(request).some((value) => value !== undefined));
}

async function sendSettings(request: Settings, { platform: { api, organization } }: PlatformContext) {
  const body = names.toWire(request);
  const answer = await api.updateOrganization({ body });
  // Applies the changes to the record in the response, because reads may lag behind a change (wire-facts 1.3).
  const record = organization.note({ ...answer.organization, ...body });
  return settingsStateOf(record, record.id);
}

const settingsStateOf = (record: object, organizationId: string) => {
  const { overages, requireMfa, restoreEnabled }: Settings = names.fromWire(record);
  return { overages, requireMfa, restoreEnabled, organizationId };
};

/** Returns the reason why the API token's user may not change the settings (wire-facts 1.3). */
async function settingsChangeFailure(
  changes: Settings,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (changes.restoreEnabled !== undefined) context.platform.organization.planRecovery(changes.restoreEnabled);
  const caller = await tokenUser(context);
  if (caller !== undefined && changes.requireMfa) await warnOfOwnLockout(caller, context);
  return rolePermissionFailure("changing the settings", context);
}

/** Warns that the API token's user may lose access, unless that user has enabled multi-factor authentication. */
async function warnOfOwnLockout({ username, hasMfa }: TokenUser, context: PlatformContext): Promise<void> {
  const {
    platform: { organization },
    warn,
  } = context;
  const before = await organization.known();
  if (hasMfa !== false || before?.require_mfa) return;
  await context.run.once("own lockout", async () => warn(mayLoseAccess({ username, organization: organization.slug })));
}
