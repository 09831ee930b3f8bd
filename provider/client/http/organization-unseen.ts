import type { RefusalDetails } from "../../../kit/refusal";
import { inaccessibleOrganization, inaccessibleOrganizationId } from "../messages";

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
  return slug === undefined
    ? { ...details, ...inaccessibleOrganizationId({ organizationId: String(organizationId), response: answer }) }
    : { ...details, ...inaccessibleOrganization({ organization: String(slug), response: answer }) };
}
