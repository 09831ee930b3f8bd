import type { RefusalDetails } from "../refusal";

/** The parts of a request that can name an organization. */
interface Named {
  readonly organizationSlug?: unknown;
  readonly organizationId?: unknown;
  readonly body?: unknown;
}

/**
 * Explains a 404 about the organization itself. It says nothing about whether the objects in the organization exist.
 */
export function organizationUnseen(request: object, { answer, ...details }: RefusalDetails): RefusalDetails {
  const { organizationSlug, organizationId, body } = request as Named;
  const slug = organizationSlug ?? (body as { readonly organization?: unknown } | undefined)?.organization;
  if (slug === undefined)
    return {
      ...details,
      answer: `this credential sees no organization with the UUID ${organizationId} (${answer})`,
      advice: "Check `dbplatform:organizationId` (or DBPLATFORM_ORGANIZATION_ID)",
    };
  return {
    ...details,
    answer: `this credential sees no organization "${slug}" (${answer})`,
    advice: "Check `dbplatform:organization` (or DBPLATFORM_ORGANIZATION) and which organization the API token is for",
  };
}
