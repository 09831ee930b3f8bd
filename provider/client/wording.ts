import type { RefusalDetails, RefusalKind } from "../../kit/refusal";
import { ADVICE, failedResponse, inaccessibleOrganization } from "./messages";

/** Patterns for errors that can be recognized only by their message, because their status and code are ambiguous. */
const BY_WORDS = [
  // The name is taken (wire-facts 3.4, 4.2). The documented status is 409, but the public service returns 400.
  { status: 400, words: /already exists/i, kind: "taken" },
  // The database cannot be created because its group does not exist (wire-facts 3.4).
  { status: 400, words: /group (\S+ )?not found/i, kind: "absent" },
  // The organization itself was not found, so the response says nothing about the objects in it (wire-facts 1.2).
  { status: 404, words: /organization (\S+ )?not found/i, kind: "unseen" },
] as const;

/** Returns the kind of an error that can be recognized only by its message, and `undefined` for other errors. */
const kindByWords = (status: number, error: string) =>
  BY_WORDS.find((entry) => entry.status === status && entry.words.test(error))?.kind;

/**
 * Matches undici's message about a proxy that refused the connection. The error code `UND_ERR_ABORTED` is not enough,
 * because other errors have the same code.
 */
const PROXY_REFUSAL = /^Proxy response \(/;

export const isProxyRefusal = (message: string): boolean => PROXY_REFUSAL.test(message);

const KIND_OF_STATUS: Record<number, RefusalKind> = {
  400: "invalid",
  401: "unauthenticated",
  402: "forbidden",
  403: "forbidden",
  404: "absent",
  409: "taken",
  422: "invalid",
  429: "throttled",
};

const adviceFor: Partial<Record<RefusalKind, string>> = ADVICE;

/**
 * Converts a response with a status other than 200 to the constructor arguments of a `Refusal`.
 *
 * @param error The platform's own error message.
 */
export function classifyRefusal(
  status: number,
  error: string,
  code: string | undefined,
): [RefusalKind, RefusalDetails] {
  const byStatus = KIND_OF_STATUS[status] ?? (status >= 500 ? "unavailable" : "invalid");
  const kind = kindByWords(status, error) ?? byStatus;
  return [
    kind,
    {
      answer: failedResponse({ status, error }),
      advice: adviceFor[kind],
      status,
      code,
      // A service returns 503 before it processes a request, so the request certainly had no effect.
      uncertain: status >= 500 && status !== 503,
    },
  ];
}

interface Named {
  readonly organizationSlug?: unknown;
  readonly organizationId?: unknown;
  readonly body?: unknown;
}

/**
 * Explains a 404 response about the organization itself. Such a response does not mean that an object in the
 * organization no longer exists.
 */
export function organizationUnseen(request: object, { answer, ...details }: RefusalDetails): RefusalDetails {
  const { organizationSlug, organizationId, body } = request as Named;
  const slug = organizationSlug ?? (body as { readonly organization?: unknown } | undefined)?.organization;
  const named = slug === undefined ? { organizationId: String(organizationId) } : { organization: String(slug) };
  return { ...details, ...inaccessibleOrganization({ ...named, response: answer }) };
}
