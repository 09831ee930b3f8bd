import { RECORDED_SETTINGS } from "../kit/lifecycle/messages";
import { message } from "../kit/message";

export interface MissingSetting {
  readonly name: string;
  readonly isSecret: boolean;
  /** The environment variable that supplies the setting; `undefined` if no variable does. */
  readonly variable: string | undefined;
}

export interface SettingsOrigin {
  /** Whether some of the settings may be those of the last update. */
  readonly isRecorded: boolean;
  /** Whether the provider is certainly in no state yet. */
  readonly isNew: boolean;
}

const ALL_MISSING: readonly MissingSetting[] = [
  { name: "organization", isSecret: false, variable: "DBPLATFORM_ORGANIZATION" },
  { name: "apiToken", isSecret: true, variable: "DBPLATFORM_API_TOKEN" },
  { name: "baseUrl", isSecret: false, variable: "DBPLATFORM_BASE_URL" },
];

/**
 * Reports missing settings, and how to set each of them. The command for a secret asks for its value.
 *
 * @param origin Where the other settings come from. A stack that exists is not advised to try another platform.
 */
export const missingSettings = message(
  (missing: readonly MissingSetting[], { isRecorded, isNew }: SettingsOrigin) =>
    [
      `The provider lacks ${missing.map(({ name }) => `dbplatform:${name}`).join(", ")}. Set ${missing.length === 1 ? "it" : "each"} with the command or in the environment:`,
      ...missing.map(
        ({ name, isSecret, variable }) =>
          `  pulumi config set ${isSecret ? `--secret dbplatform:${name}` : `dbplatform:${name} <value>`}${variable ? ` # or ${variable}` : ""}`,
      ),
      ...(isRecorded ? [`${RECORDED_SETTINGS}.`] : []),
      ...(isNew && missing.length === ALL_MISSING.length ? [WITHOUT_ACCOUNT] : []),
    ].join("\n"),
  [ALL_MISSING, { isRecorded: false, isNew: true }],
  [ALL_MISSING, { isRecorded: false, isNew: false }],
  [ALL_MISSING.slice(1, 2), { isRecorded: true, isNew: false }],
);

const WITHOUT_ACCOUNT =
  'To try the provider without an account, run `eval "$(npx dbplatform-api serve --background)"`, and then this command again in the same shell.';

export const invalidSetting = message(
  (name: string, reason: string) => `dbplatform:${name}: ${reason}`,
  ["baseUrl", '"platform" is not a valid http or https address'],
);

export const unknownSetting = message(
  (settings: readonly string[]) => `unknown setting; the settings are ${settings.join(", ")}`,
  [["organization", "apiToken", "baseUrl"]],
);

export const invalidOrganizationId = message(
  (text: string) => `"${text}" is not a lowercase UUID with hyphens`,
  ["0A28102D690611EE8553EAA7715AEAF2"],
);

/** The message omits the address, because the address contains a user name or password. */
export const CREDENTIALS_IN_BASE_URL = "an address must not contain a user name or password; use `apiToken`";

export const invalidBaseUrl = message(
  (text: string) => `"${text}" is not a valid http or https address`,
  ["ftp://platform.example"],
);

export const baseUrlWithoutScheme = message(
  (text: string, url: string) => `"${text}" has no scheme; write "${url}"`,
  ["platform.example", "https://platform.example"],
);

export const baseUrlWithPath = message(
  (text: string, origin: string) => `"${text}" must not have a path, query or fragment; write "${origin}"`,
  ["https://platform.example/v1", "https://platform.example"],
);

export const insecureBaseUrl = message(
  (text: string) =>
    `"${text}" would send the API token unencrypted; use https, or set \`allowInsecure: true\` to send it anyway`,
  ["http://platform.example"],
);

export const UNRESTRICTED_TOKEN =
  "The API token is unrestricted.\nIt has access to every organization of its user. Unrestricted tokens are deprecated and will stop working; use a token that is restricted to one organization.";
