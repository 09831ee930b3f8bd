import { message } from "../platform/values/message";

/**
 * Reports a missing setting.
 *
 * @param variable The environment variable that supplies the setting; `undefined` if no variable does.
 */
export const missingSetting = message(
  (name: string, isSecret: boolean, variable: string | undefined) =>
    [
      `dbplatform:${name} is missing. Run \`pulumi config set ${isSecret ? "--secret " : ""}dbplatform:${name} <value>\``,
      ...(variable === undefined ? [] : [`set the environment variable ${variable}`]),
    ].join(" or "),
  ["apiToken", true, "DBPLATFORM_API_TOKEN"],
  ["driftDetection", false, undefined],
);

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
