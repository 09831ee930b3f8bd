import * as z from "zod";
import { readNumberedPages } from "../../platform/client/pages";
import { platformFunction } from "../resource/function";
import { explainForbidden } from "../resource/preflight";
import { limit, truncated } from "./limit";
import { namedType } from "./named-type";

const AuditLogEntry = namedType("AuditLogEntry", "Something that was changed in the organization.", {
  code: z.string().describe("What was done, such as `db-create`."),
  message: z.string().describe("The same in words."),
  origin: z.string().describe("Where it was done, such as `cli`, `web` or `api`."),
  author: z.string().describe("Username of who did it."),
  createdAt: z.string().describe("When it was done (RFC 3339)."),
  data: z.record(z.string(), z.unknown()).describe("Names and ids of what was changed."),
});

export const getAuditLogs = platformFunction({
  name: "getAuditLogs",
  description: "What was changed in the organization, the latest first. The log only grows: give a `limit`.",
  example: `const { entries } = await dbplatform.getAuditLogs({ limit: 20 });`,
  args: z.object({ limit }),
  result: z.object({ entries: z.array(AuditLogEntry).describe("The entries, the latest first."), truncated }),

  async read({ limit }, platform) {
    const { client, organization } = platform;
    const { items, whole } = await explainForbidden("listAuditLogs", platform, () =>
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
