import type { Act } from "../../platform/client/audit-log/acts";
import { type Creation, findCreations } from "../../platform/client/audit-log/creations";
import { eachNumberedPage } from "../../platform/client/pages";
import type { ResourceContext } from "../resource/context";
import { explainForbidden } from "../resource/preflight";
import type { Thing } from "./thing";

/** What the audit log records as created, by resource type. A configuration is created with its database. */
const KINDS: Readonly<Record<string, Act["kind"]>> = {
  Group: "group",
  Database: "database",
  DatabaseConfiguration: "database",
  ApiToken: "token",
};

/**
 * Finds out in the audit log when objects were created, and by whom.
 *
 * @throws Refusal if the audit log cannot be read.
 */
export async function creationsOf(
  things: readonly Thing[],
  context: ResourceContext,
): Promise<ReadonlyMap<Thing, Creation>> {
  const objects = things.flatMap((thing) => {
    const kind = KINDS[thing.resource.type];
    return kind === undefined ? [] : [{ kind, id: thing.id, thing }];
  });
  const pages = eachNumberedPage((query) => listAuditLogs(query, context));
  const found = await explainForbidden("listAuditLogs", context, () => findCreations(objects, pages));
  return new Map([...found].map(([{ thing }, creation]) => [thing, creation]));
}

const listAuditLogs = (query: { page: number; page_size: number }, { client, organization }: ResourceContext) =>
  client.listAuditLogs({ organizationSlug: organization.slug, query });
