import { eachNumberedPage } from "../../platform/client/pages";
import type { ResourceContext } from "../resource/context";
import { explainForbidden } from "../resource/preflight";
import type { Thing } from "./thing";

/** Who created an object and when, according to the audit log. */
export interface Creation {
  /** RFC 3339 */
  readonly createdAt: string;
  /** Username */
  readonly createdBy: string;
}

interface CreationEntry {
  readonly code: string;
  /** The key in `data` that holds the id of the created object. */
  readonly key: string;
}

const DATABASE: CreationEntry = { code: "db-create", key: "id" };

/** The audit-log entries that record a creation, by resource type. A configuration is created with its database. */
const ENTRIES: Readonly<Record<string, CreationEntry>> = {
  Group: { code: "group-create", key: "uuid" },
  Database: DATABASE,
  DatabaseConfiguration: DATABASE,
  ApiToken: { code: "user-token-create", key: "id" },
};

/**
 * Finds in the audit log who created each object, and when. Matches entries by id, because another object may have had
 * the same name (decision 142). Reads pages until all objects are found.
 *
 * @throws Refusal if the audit log cannot be read.
 */
export async function findCreations(
  things: readonly Thing[],
  context: ResourceContext,
): Promise<ReadonlyMap<Thing, Creation>> {
  const wanted = new Map<string, Thing[]>();
  for (const thing of things) {
    const entry = ENTRIES[thing.resource.type];
    if (!entry) continue;
    const naming = namingOf(entry, thing.id);
    wanted.set(naming, [...(wanted.get(naming) ?? []), thing]);
  }
  const found = new Map<Thing, Creation>();
  if (wanted.size === 0) return found;
  await explainForbidden("listAuditLogs", context, async () => {
    for await (const { audit_logs } of eachNumberedPage((query) => listAuditLogs(query, context))) {
      for (const { code, data, created_at, author } of audit_logs)
        for (const [key, value] of Object.entries(data)) {
          if (typeof value !== "string") continue;
          const naming = namingOf({ code, key }, value);
          for (const thing of wanted.get(naming) ?? []) found.set(thing, { createdAt: created_at, createdBy: author });
          wanted.delete(naming);
        }
      if (wanted.size === 0) return;
    }
  });
  return found;
}

/** Returns the map key for audit-log entries with this code and this id. */
const namingOf = ({ code, key }: CreationEntry, id: string): string => `${code} ${key} ${id}`;

const listAuditLogs = (query: { page: number; page_size: number }, { client, organization }: ResourceContext) =>
  client.listAuditLogs({ organizationSlug: organization.slug, query });
