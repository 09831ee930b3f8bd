import type { Author, Facts } from "../facts";

const ORIGINS: Readonly<Record<string, string>> = { cli: " with the CLI", web: " (web)", api: " (API)" };
export const authorName = ({ by: { author, origin } }: { readonly by: Author }) => `${author}${ORIGINS[origin] ?? ""}`;
export const failedOperation = ({ action, method, path }: Facts<"action" | "method" | "path">) =>
  `could not ${action} (${method} ${path})`;
export const unusableParameter = ({ parameter, value }: Facts<"parameter" | "value">) =>
  `${parameter} ${JSON.stringify(value)} cannot be part of a URL`;

// Responses
const CHECK_BASE_URL = "Check that `dbplatform:baseUrl` (or DBPLATFORM_BASE_URL) is the address of the platform";
export const failedResponse = ({ status, error }: Facts<"error"> & { readonly status: number }) =>
  `the platform returned HTTP ${status}: ${error}`;
export const EMPTY_TEXT = "(empty)";
export const unexpectedStatus = ({ status }: { readonly status: number }) => ({
  answer: `unexpected response (HTTP ${status})`,
  advice: CHECK_BASE_URL,
});
export const unreadableResponse = ({ reason }: Facts<"reason">) => ({
  answer: `unexpected response body (HTTP 200): ${reason}`,
  advice: CHECK_BASE_URL,
});
export const invalidJson = ({ characters }: { readonly characters: number }) =>
  `${characters} characters that are not JSON, or JSON that is nested too deeply`;
export const unrelatedResponse = ({ field, value }: Facts<"field" | "value">) =>
  unreadableResponse({ reason: `it is about another object, whose ${field} is "${value}"` });
export const endlessList = ({ mostPages }: { readonly mostPages: number }) => ({
  answer: `the list does not end: a page repeats, or there are more than ${mostPages} pages`,
  advice: CHECK_BASE_URL,
});

/** Advice on how to resolve an error, by `RefusalKind`. */
export const ADVICE = {
  unauthenticated:
    "Check `dbplatform:apiToken` (or DBPLATFORM_API_TOKEN): the API token is missing, invalid, expired or revoked",
  throttled: "Requests are still rate-limited after several retries; try again later",
  unavailable: "The operation stopped; run the command again",
} as const;

export const sqlTokenInsteadOfApiToken = ({ kind, id }: Facts<"kind" | "id">) =>
  `\`dbplatform:apiToken\` (or DBPLATFORM_API_TOKEN) is a SQL-engine token of ${kind} ${id}, which opens SQL connections and nothing else. Configure a Platform API token`;

// Missing responses
export const CANCELLED_BEFORE_SENDING = "cancelled before the request was sent";
export const CANCELLED = "cancelled before the platform responded";
export const TIME_LIMIT_EXCEEDED =
  "no response within the time limit of the resource (to allow more time, raise it in `customTimeouts`)";
export const TIME_LIMIT_BEFORE_SENDING =
  "the time limit of the resource ended before the request was sent (to allow more time, raise it in `customTimeouts`)";
export const unreachablePlatform = ({ reason }: Facts<"reason">) => ({
  answer: `the platform could not be reached (${reason})`,
  advice: "Check `dbplatform:baseUrl` (or DBPLATFORM_BASE_URL) and the network connection",
});
export const untrustedCertificate = (facts: Facts<"reason">) => ({
  ...unreachablePlatform(facts),
  advice:
    "If a private certificate authority issued the platform's certificate, set NODE_EXTRA_CA_CERTS to the file that contains the authority's certificate",
});
export const responseTimeout = ({ seconds, reason }: Facts<"reason"> & { readonly seconds: number }) =>
  `no response within ${seconds} seconds (${reason})`;
export const brokenConnection = ({ reason }: Facts<"reason">) =>
  `the connection closed before the response was complete (${reason})`;

// Databases
export const REFERENCE_WITHOUT_SQL = {
  answer: "the reference API was started without `--sql`, so its databases have no tables",
  advice: "Start it with `--sql` (in code, `sql: true`)",
} as const;
export const refusedByDatabase = ({ reason }: Facts<"reason">) => `the database did not run the request (${reason})`;
export const databaseRedirected = ({ origin }: Facts<"origin">) =>
  `the database redirected the request to ${origin}, where its token is not sent`;

// The organization
const ORGANIZATION_ID = "`dbplatform:organizationId` (or DBPLATFORM_ORGANIZATION_ID)";
export const inaccessibleOrganization = (
  facts: Facts<"response"> &
    ({ readonly organizationId: string } | { readonly organizationId?: undefined; readonly organization: string }),
) => ({
  answer: `organization ${facts.organizationId === undefined ? `"${facts.organization}"` : facts.organizationId} does not exist, or this API token has no access to it (${facts.response})`,
  advice: `Check ${facts.organizationId ? ORGANIZATION_ID : "`dbplatform:organization` (or DBPLATFORM_ORGANIZATION)"}, and that the API token is for this organization`,
});
export const organizationIdMismatch = (facts: Facts<"organization" | "organizationId" | "actualId">) => ({
  answer: `organization "${facts.organization}" has the UUID ${facts.actualId}, but \`organizationId\` is ${facts.organizationId}`,
  advice: `If the stack belongs to organization ${facts.organizationId}, correct \`dbplatform:organization\` (or DBPLATFORM_ORGANIZATION) and the API token. If it belongs to "${facts.organization}", set ${ORGANIZATION_ID} to ${facts.actualId}`,
});

/** A group-scoped token does not see its own group in the configured organization. */
export const organizationIdUnconfirmed = (facts: Facts<"organization" | "organizationId">) => ({
  answer: `\`organizationId\` ${facts.organizationId} is not the UUID of organization "${facts.organization}", or this group-scoped API token is for another organization`,
  advice: `Check ${ORGANIZATION_ID}, \`dbplatform:organization\` and the API token. With an organization-level token, the function \`getOrganization\` returns the UUID`,
});

export const UNREADABLE_ORGANIZATION = {
  answer: "this API token is group-scoped and cannot look up the UUID of the organization",
  advice:
    "Set it with `pulumi config set dbplatform:organizationId <uuid>`, in DBPLATFORM_ORGANIZATION_ID, or as `organizationId` of the provider that the program creates",
} as const;
