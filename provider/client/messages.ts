import { message } from "../../platform/values/message";

/** The author of a change, as named in messages about drift. */
export interface Authorship {
  readonly author: string;
  /** Origin in the audit log: `cli`, `web`, `api` or any other string. */
  readonly origin: string;
  /** How long ago the author made the change, for example `3 hours ago`. */
  readonly ago: string;
}

const ORIGINS: Readonly<Record<string, string>> = { cli: " with the CLI", web: " (web)", api: " (API)" };

/** Names the author within a sentence: `ada with the CLI`. */
export const authorName = message(
  ({ author, origin }: Pick<Authorship, "author" | "origin">) => `${author}${ORIGINS[origin] ?? ""}`,
  [{ author: "ada", origin: "cli" }],
  [{ author: "max", origin: "web" }],
);

const ORGANIZATION_ID = "`dbplatform:organizationId` (or DBPLATFORM_ORGANIZATION_ID)";

/** The beginning of every error message about a request. */
export const failedOperation = message(
  (operation: string, method: string, path: string) => `could not ${operation} (${method} ${path})`,
  ["create database", "POST", "/v1/organizations/acme/databases"],
);

/** Reports that the value of a path parameter cannot be part of a URL. */
export const invalidParameter = message(
  (name: string, value: string) => ({ answer: `${name} ${JSON.stringify(value)} cannot be part of a URL` }),
  ["databaseName", ".."],
);

// Responses

const CHECK_BASE_URL = "Check that `dbplatform:baseUrl` (or DBPLATFORM_BASE_URL) is the address of the platform";

/**
 * Reports an error response.
 *
 * @param error The platform's own error message.
 */
export const failedResponse = message(
  (status: number, error: string) => `the platform returned HTTP ${status}: ${error}`,
  [409, "database with name [orders] already exists"],
);

/** Shown if the platform's error message is empty. */
export const EMPTY_TEXT = "(empty)";

export const unexpectedStatus = message(
  (status: number) => ({ answer: `unexpected response (HTTP ${status})`, advice: CHECK_BASE_URL }),
  [204],
);

export const unreadableResponse = message(
  (why: string) => ({ answer: `unexpected response body (HTTP 200): ${why}`, advice: CHECK_BASE_URL }),
  ["✖ Invalid input: expected object, received array"],
);

/** Reports that a response is not JSON, or is nested too deeply to be parsed. */
export const invalidJson = message(
  (characters: number) => `${characters} characters that are not JSON, or JSON that is nested too deeply`,
  [1532],
);

/**
 * Reports a response about an object other than the requested one.
 *
 * @param field The field whose value differs between the request and the response.
 */
export const unrelatedResponse = message(
  (field: string, value: string) => ({
    answer: `unexpected response body (HTTP 200): it is about another object, whose ${field} is "${value}"`,
    advice: CHECK_BASE_URL,
  }),
  ["database.DbId", "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b"],
);

export const endlessList = message(
  (mostPages: number) => ({
    answer: `the list does not end: a page repeats, or there are more than ${mostPages} pages`,
    advice: CHECK_BASE_URL,
  }),
  [1000],
);

/** Advice on how to resolve an error, by `RefusalKind`. */
export const ADVICE = {
  unauthenticated:
    "Check `dbplatform:apiToken` (or DBPLATFORM_API_TOKEN): the API token is missing, invalid, expired or revoked",
  throttled: "Requests are still rate-limited after several retries; try again later",
  unavailable: "The operation stopped; run the command again",
} as const;

// Missing responses

export const CANCELLED_BEFORE_SENDING = "cancelled before the request was sent";

export const CANCELLED = "cancelled before the platform responded";

export const DEADLINE_EXCEEDED =
  "no response within the time limit of the resource (to allow more time, raise it in `customTimeouts`)";

export const DEADLINE_BEFORE_SENDING =
  "the time limit of the resource ended before the request was sent (to allow more time, raise it in `customTimeouts`)";

/**
 * Reports that no connection to the platform could be established.
 *
 * @param reason An error code, or a short description of the error.
 */
export const unreachablePlatform = message(
  (reason: string) => ({
    answer: `the platform could not be reached (${reason})`,
    advice: "Check `dbplatform:baseUrl` (or DBPLATFORM_BASE_URL) and the network connection",
  }),
  ["ECONNREFUSED"],
);

export const untrustedCertificate = message(
  (reason: string) => ({
    answer: `the platform could not be reached (${reason})`,
    advice:
      "If a private certificate authority issued the platform's certificate, set NODE_EXTRA_CA_CERTS to the file that contains the authority's certificate",
  }),
  ["SELF_SIGNED_CERT_IN_CHAIN"],
);

export const responseTimeout = message(
  (seconds: number, reason: string) => ({ answer: `no response within ${seconds} seconds (${reason})` }),
  [60, "UND_ERR_HEADERS_TIMEOUT"],
);

export const brokenConnection = message(
  (reason: string) => ({ answer: `the connection closed before the response was complete (${reason})` }),
  ["ECONNRESET"],
);

// The organization

/**
 * Reports that an organization cannot be accessed by its slug.
 *
 * @param response A description of the platform's response.
 */
export const inaccessibleOrganization = message(
  (slug: string, response: string) => ({
    answer: `organization "${slug}" does not exist, or this API token has no access to it (${response})`,
    advice:
      "Check `dbplatform:organization` (or DBPLATFORM_ORGANIZATION), and that the API token is for this organization",
  }),
  ["acmee", "the platform returned HTTP 404: organization not found"],
);

/**
 * Reports that an organization cannot be accessed by its UUID.
 *
 * @param response A description of the platform's response.
 */
export const inaccessibleOrganizationId = message(
  (id: string, response: string) => ({
    answer: `organization ${id} does not exist, or this API token has no access to it (${response})`,
    advice: `Check ${ORGANIZATION_ID}`,
  }),
  ["0a28102d-6906-11ee-8553-eaa7715aeaf2", "the platform returned HTTP 404: organization not found"],
);

/**
 * Reports that the configured UUID belongs to another organization.
 *
 * @param actual The organization's UUID according to the platform.
 */
export const organizationIdMismatch = message(
  (slug: string, configured: string, actual: string) => ({
    answer: `organization "${slug}" has the UUID ${actual}, but \`organizationId\` is ${configured}`,
    advice: `Set ${ORGANIZATION_ID} to ${actual}, or remove the setting, because this API token can look up the UUID`,
  }),
  ["acme", "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b", "0a28102d-6906-11ee-8553-eaa7715aeaf2"],
);

/** Reports that a group-scoped token cannot see its own group in the configured organization. */
export const organizationIdUnconfirmed = message(
  (slug: string, configured: string) => ({
    answer: `\`organizationId\` ${configured} is not the UUID of organization "${slug}", or this group-scoped API token is for another organization`,
    advice: `Check ${ORGANIZATION_ID}, \`dbplatform:organization\` and the API token. With an organization-level token, the function \`getOrganization\` returns the UUID`,
  }),
  ["acme", "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b"],
);

export const UNREADABLE_ORGANIZATION = {
  answer: "this API token cannot look up the UUID of the organization",
  advice:
    "For a group-scoped token, set the UUID with `pulumi config set dbplatform:organizationId <uuid>`, in DBPLATFORM_ORGANIZATION_ID, or as `organizationId` of the provider that the program creates",
} as const;
