import { RECORDED_SETTINGS } from "../kit/messages";
import { message } from "../platform/values/message";

const ID = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";

export const WITHOUT_ACCOUNT =
  'To try the provider without an account, run `eval "$(npx dbplatform-api serve --background)"`, and then this command again in the same shell.';

export const UNRECORDED_TOKEN = "A token in DBPLATFORM_API_TOKEN is never recorded";

/** @param isRecorded Whether the provider may use the settings of the last update. */
export const otherOrganization = message(
  (organizationId: string, configured: { readonly slug: string; readonly id: string }, isRecorded: boolean) => ({
    answer: `this resource belongs to organization ${organizationId}, but the provider is configured for "${configured.slug}" (${configured.id})`,
    advice: `Configure the organization that owns the resource (\`dbplatform:organization\` or DBPLATFORM_ORGANIZATION), and an API token of that organization${isRecorded ? `. ${RECORDED_SETTINGS}` : ""}`,
  }),
  [ID, { slug: "globex", id: OTHER_ID }, false],
  [ID, { slug: "globex", id: OTHER_ID }, true],
);

const PROVIDER_URN = "urn:pulumi:dev::shop::pulumi:providers:dbplatform::default_0_1_0";

/**
 * Reports that the reference API does not know the organization of a resource. The provider cannot tell whether its data
 * is lost or the resource was created elsewhere, even on the public service.
 *
 * @param providerUrn URN of the provider's resource. Empty or undefined with dynamic providers, which do not have one.
 */
export const dataLost = message(
  (organizationId: string, baseUrl: string, providerUrn: string | undefined) => ({
    // One text, because Pulumi repeats the first line of an error.
    answer: [
      `the reference API at ${baseUrl} does not know organization ${organizationId}, to which this resource belongs`,
      "If the stack was deployed to the public service or another server, correct `dbplatform:baseUrl` or DBPLATFORM_BASE_URL. If you still have the data, start the server with it (`--data`).",
      providerUrn
        ? "Only if the data is lost, run this command and then `pulumi up`. It removes from the stack all resources of this provider and what depends on them, also resources of other providers, without deleting anything:"
        : "Only if the data is lost, run this command for each of these resources and then `pulumi up` (`pulumi stack --show-urns` shows the URNs). It removes from the stack the resource and what depends on it, also resources of other providers, without deleting anything:",
      `  pulumi state delete --yes --target-dependents '${providerUrn || "<urn>"}'`,
    ].join("\n"),
  }),
  [ID, "http://127.0.0.1:8080", PROVIDER_URN],
  [ID, "http://127.0.0.1:8080", undefined],
);

/** Refers to `dataLost`, for every resource after the first. */
export const ALSO_LOST = "the reference API does not know the organization of this resource, either";

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
