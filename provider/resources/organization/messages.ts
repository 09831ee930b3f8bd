import { message } from "../../../platform/values/message";

const ACME = "b2f1c0de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const GLOBEX = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";

interface Configured {
  readonly slug: string;
  readonly id: string;
}

const acme: Configured = { slug: "acme", id: ACME };

/** Explains that the settings are imported by the UUID of the configured organization. */
export const importByOrganizationId = message(
  (given: string, { slug, id }: Configured) =>
    `import the settings of organization "${slug}" by its UUID, not by "${given}": \`import: "${id}"\``,
  ["acme", acme],
);

export const otherOrganizationImported = message(
  (given: string, { slug, id }: Configured) =>
    `${given} is not the UUID of organization "${slug}", for which the provider is configured. To import the settings of "${slug}", write \`import: "${id}"\`; for another organization, set \`dbplatform:organization\``,
  [GLOBEX, acme],
);

export const settingsNeedAdmin = message(
  (organization: string, username: string, role: string) =>
    `changing the settings requires an admin or owner of organization "${organization}", but "${username}" is a ${role}`,
  ["acme", "max", "member"],
);

/**
 * Reports that settings stay as they are after their resource is deleted.
 *
 * @param settings All settings, each written as `name: value`.
 */
export const settingsUnmanaged = message(
  (organization: string, settings: readonly string[]) =>
    `The settings of organization "${organization}" are no longer managed and stay as they are: ${settings.join(", ")}.`,
  ["acme", ["overages: false", "requireMfa: true", "restoreEnabled: true"]],
);
