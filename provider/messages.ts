import { RECORDED_SETTINGS } from "../kit/messages";
import type { Facts } from "./facts";

export const WITHOUT_ACCOUNT =
  'To try the provider without an account, run `eval "$(npx pulumi-dbplatform api serve --background)"`, and then this command again in the same shell.';
export const UNRECORDED_TOKEN = "A token in DBPLATFORM_API_TOKEN is never recorded";
export const otherOrganization = (
  facts: Facts<"organizationId" | "isRecorded"> & {
    readonly configured: { readonly slug: string; readonly id: string };
  },
) => ({
  answer: `this resource belongs to organization ${facts.organizationId}, but the provider is configured for "${facts.configured.slug}" (${facts.configured.id})`,
  advice: `Configure the organization that owns the resource (\`dbplatform:organization\` or DBPLATFORM_ORGANIZATION), and an API token of that organization${facts.isRecorded ? `. ${RECORDED_SETTINGS}` : ""}`,
});

/** The provider cannot tell whether the data is lost or the resource was created elsewhere, even on the public service. */
export const dataLost = (facts: Facts<"organizationId" | "baseUrl", "providerUrn">) =>
  // One text, because Pulumi repeats the first line of an error.
  [
    `the reference API at ${facts.baseUrl} does not know organization ${facts.organizationId}, to which this resource belongs`,
    "If the stack was deployed to the public service or another server, correct `dbplatform:baseUrl` or DBPLATFORM_BASE_URL. If you still have the data, start the server with it (`--data`).",
    facts.providerUrn
      ? "Only if the data is lost, run this command and then `pulumi up`. It removes from the stack all resources of this provider and what depends on them, also resources of other providers, without deleting anything:"
      : "Only if the data is lost, run this command for each of these resources and then `pulumi up` (`pulumi stack --show-urns` shows the URNs). It removes from the stack the resource and what depends on it, also resources of other providers, without deleting anything:",
    `  pulumi state delete --yes --target-dependents '${facts.providerUrn || "<urn>"}'`,
  ].join("\n");

export const invalidOrganizationId = ({ text }: Facts<"text">) => `"${text}" is not a lowercase UUID with hyphens`;

/** The message omits the address, because the address contains a user name or password. */
export const CREDENTIALS_IN_BASE_URL = "an address must not contain a user name or password; use `apiToken`";

export const invalidBaseUrl = ({ text }: Facts<"text">) => `"${text}" is not a valid http or https address`;
export const baseUrlWithoutScheme = ({ text, corrected }: Facts<"text" | "corrected">) =>
  `"${text}" has no scheme; write "${corrected}"`;
export const baseUrlWithPath = ({ text, corrected }: Facts<"text" | "corrected">) =>
  `"${text}" must not have a path, query or fragment; write "${corrected}"`;

/** The message omits the characters around it, because they belong to a secret. */
export const unusableApiToken = ({ codePoint, position }: Facts<"codePoint"> & { readonly position: number }) =>
  `character ${position} of the API token is ${codePoint === "000A" || codePoint === "000D" ? "a line break" : `U+${codePoint}`}, which no request can carry; copy the whole token again, to \`pulumi config set --secret dbplatform:apiToken\` or DBPLATFORM_API_TOKEN`;
export const insecureBaseUrl = ({ text }: Facts<"text">) =>
  `"${text}" would send the API token unencrypted; use https, or set \`allowInsecure: true\` to send it anyway`;
export const UNRESTRICTED_TOKEN =
  "The API token is unrestricted.\nIt has access to every organization of its user. Unrestricted tokens are deprecated and will stop working; use a token that is restricted to one organization.";

// Arguments of resources and functions
export const conflictsWith = ({ other }: Facts<"other">) => `conflicts with \`${other}\`; set only one of them`;
export const EMPTY = "must not be empty";
export const TIMESTAMP_INVALID = 'must be an RFC 3339 timestamp, such as "2026-11-20T08:00:00Z"';
