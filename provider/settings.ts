import * as z from "zod";
import type { Vocabulary } from "../kit/field";
import type { ProviderSettings } from "../kit/provider";
import { isLoopbackUrl } from "../platform/values/address";
import { canonicalUuid } from "../platform/values/uuid";
import {
  baseUrlWithoutScheme,
  baseUrlWithPath,
  CREDENTIALS_IN_BASE_URL,
  insecureBaseUrl,
  invalidBaseUrl,
  invalidOrganizationId,
  UNRECORDED_TOKEN,
  unusableApiToken,
  WITHOUT_ACCOUNT,
} from "./messages";

/** Address of the public service. No default, so that a forgotten setting never reaches it. */
export const PUBLIC_ADDRESS = "https://api.turso.tech";

const driftDetection: Vocabulary = {
  name: "DriftDetection",
  description: "When the provider looks for drift.",
  values: {
    always: "Before every preview and update.",
    "on-refresh": "Only with `refresh` and `--refresh`.",
  },
};

const schema = z.object({
  organization: z
    .string()
    .min(1)
    .describe("Slug of the organization. Default: the environment variable DBPLATFORM_ORGANIZATION."),
  apiToken: z
    .string()
    .min(1)
    .describe(
      "Platform API token. Default: the environment variable DBPLATFORM_API_TOKEN, which is never written to the state.",
    ),
  baseUrl: z
    .string()
    .describe(
      `Address of the platform (https; http only on this machine). Turso Cloud: \`${PUBLIC_ADDRESS}\`. Default: the environment variable DBPLATFORM_BASE_URL.`,
    ),
  allowInsecure: z
    .boolean()
    .optional()
    .describe(
      "Allow a `baseUrl` with plain http on another machine. The API token is then sent unencrypted. Default: false.",
    ),
  organizationId: z
    .string()
    .optional()
    .describe(
      "UUID of the organization. With it, previews and updates fail if `organization` or the API token is for another one. Group-scoped tokens need it, because they cannot look it up. Default: the environment variable DBPLATFORM_ORGANIZATION_ID.",
    ),
  driftDetection: z
    .enum(["always", "on-refresh"])
    .meta({ vocabulary: driftDetection })
    .optional()
    .describe(
      "When the provider looks for drift: before every preview and update (`always`), or only with `refresh` and `--refresh` (`on-refresh`). Default: `always`.",
    ),
});

export const settings: ProviderSettings<typeof schema> = {
  schema,
  description: "One organization of the database platform, and the credential to manage it with.",
  environment: {
    organization: "DBPLATFORM_ORGANIZATION",
    apiToken: "DBPLATFORM_API_TOKEN",
    baseUrl: "DBPLATFORM_BASE_URL",
    organizationId: "DBPLATFORM_ORGANIZATION_ID",
  },
  secrets: ["apiToken"],
  account: ["baseUrl", "organization"],
  usual: { baseUrl: PUBLIC_ADDRESS },
  problems({ apiToken, baseUrl, allowInsecure, organizationId }) {
    const unusable = typeof apiToken === "string" ? apiTokenProblem(apiToken) : undefined;
    const problem = typeof baseUrl === "string" && baseUrlProblem(baseUrl, allowInsecure === true);
    const isUnusual = typeof organizationId === "string" && canonicalUuid(organizationId) !== organizationId;
    return [
      ...(unusable ? [{ property: "apiToken", reason: unusable }] : []),
      ...(problem ? [{ property: "baseUrl", reason: problem }] : []),
      ...(isUnusual ? [{ property: "organizationId", reason: invalidOrganizationId({ text: organizationId }) }] : []),
    ];
  },
  adviceWithoutAny: WITHOUT_ACCOUNT,
  unrecorded: UNRECORDED_TOKEN,
};

/** A character that no HTTP header can carry (RFC 9110 §5.5). */
const NO_HEADER_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/u;

function apiTokenProblem(text: string): string | undefined {
  const found = NO_HEADER_CHARACTER.exec(text);
  if (!found) return undefined;
  const codePoint = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return unusableApiToken({ codePoint, position: found.index + 1 });
}

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

function baseUrlProblem(text: string, allowInsecure: boolean): string | undefined {
  const hasScheme = SCHEME.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  // Looks for credentials first, because the later error messages repeat the address.
  if (url?.username || url?.password) return CREDENTIALS_IN_BASE_URL;
  if (url === null || !/^https?:$/.test(url.protocol) || !url.hostname) return invalidBaseUrl({ text });
  if (!hasScheme)
    return baseUrlWithoutScheme({ text, corrected: isLoopbackUrl(url.origin) ? `http://${url.host}` : url.origin });
  if (url.pathname !== "/" || url.search || url.hash) return baseUrlWithPath({ text, corrected: url.origin });
  if (url.protocol === "http:" && !isLoopbackUrl(text) && !allowInsecure) return insecureBaseUrl({ text });
  return undefined;
}
