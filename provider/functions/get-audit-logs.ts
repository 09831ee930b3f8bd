import * as z from "zod";
import { readNumberedPages } from "../../platform/client/pages";
import { platformFunction } from "../resource/function";
import { explainForbidden } from "../resource/preflight";
import { limit, truncated } from "./limit";
import { namedType } from "./named-type";

const AuditLogEntry = namedType("AuditLogEntry", "A change in the organization.", {
  code: z.string().describe("Kind of change, for example `db-create`."),
  message: z.string().describe("Description of the change."),
  origin: z.string().describe("Where the change was made, for example `cli`, `web` or `api`."),
  author: z.string().describe("Username of the person who made the change."),
  createdAt: z.string().describe("Time of the change (RFC 3339)."),
  data: z.record(z.string(), z.unknown()).describe("Names and ids of the changed objects."),
});

export const getAuditLogs = platformFunction({
  name: "getAuditLogs",
  reads: ["listAuditLogs"],
  description: "Changes in the organization, the latest first. The log only grows, so give a `limit`.",
  args: z.object({ limit }),
  result: z.object({ entries: z.array(AuditLogEntry).describe("The entries, the latest first."), truncated }),

  async read({ limit }, context) {
    const { client, organization } = context;
    const { items, whole } = await explainForbidden("listAuditLogs", context, () =>
      readNumberedPages(
        (query) => client.listAuditLogs({ organizationSlug: organization.slug, query }),
        ({ audit_logs }) => audit_logs,
        limit,
      ),
    );
    const entries = items.map(({ created_at, ...entry }) => ({ ...entry, createdAt: created_at }));
    return { entries, truncated: !whole };
  },
});
