import type { Operation } from "../../contract/api";
import { findOrganization } from "../credentials/membership";
import { redactCredentials } from "../credentials/redact";
import { addAuditLog } from "../operations/audit-log";
import { operationNamed } from "../operations/list";
import type { Entry, RequestContext } from "../operations/operation";

/**
 * Writes a change's audit-log entries in the same transaction as the change, so that the log matches the data. A change
 * that concerns no organization is not logged.
 */
export async function recordInAuditLog(
  operation: Operation,
  happened: { request: unknown; answer: unknown },
  context: RequestContext,
): Promise<void> {
  const { audit } = operationNamed(operation);
  if (!audit) return;
  const { state, now, caller, origin } = context;
  for (const entry of [audit({ ...happened, caller })].flat())
    for (const organizationId of await auditedOrganizations(entry, context))
      await addAuditLog(state, {
        organization_id: organizationId,
        code: entry.code,
        message: "",
        origin,
        author: caller.user.username,
        created_at: now.toISOString(),
        data: JSON.stringify(entry.data, withoutCredential),
      });
}

// Redacts each text by itself, because redacting also unescapes a text, after which the whole might no longer be JSON.
const withoutCredential = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? redactCredentials(value) : value;

/**
 * Returns the UUIDs of the organizations whose logs get the entry. An entry that names no organization goes to the
 * organizations in `concerned`. If there are none, the entry goes to the request's organization, or else to the
 * caller's personal account.
 */
async function auditedOrganizations(
  entry: Entry,
  { state, caller, accessScope, concerned }: RequestContext,
): Promise<string[]> {
  if (entry.organization === undefined && concerned.size > 0) return [...concerned];
  if (entry.organization === undefined && accessScope) return [accessScope.organization.id];
  const named = await findOrganization(state, { slug: entry.organization ?? caller.user.username });
  return named ? [named.id] : [];
}

/** Returns the origin of a change, derived from the `User-Agent` (wire-facts 0). */
export function originOf(userAgent = ""): string {
  if (/^[\w.-]*cli\//i.test(userAgent)) return "cli";
  return userAgent.startsWith("Mozilla/") ? "web" : "api";
}
