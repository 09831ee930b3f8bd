import * as z from "zod";
import type { AuditLogPage } from "../client/audit-log/acts";
import { eachNumberedPageItem, firstItems } from "../client/pages";
import { explainAccess } from "../permissions/permissions";
import { type PlatformContext, platformFunction } from "../platform";
import { limit, period, periodProblem } from "./arguments";
import { namedResultType, truncated } from "./results";

const AuditLogEntry = namedResultType("AuditLogEntry", "A change in the organization.", {
  code: z.string().describe("Kind of change, for example `db-create`."),
  message: z.string().describe("Description of the change. May be empty."),
  origin: z.string().describe("Where the change was made, for example `cli`, `web` or `api`."),
  author: z.string().describe("Username of the person who made the change."),
  createdAt: z.string().describe("Time of the change (RFC 3339)."),
  data: z
    .record(z.string(), z.unknown())
    .describe("Details of the change, such as names and ids. The platform does not document them."),
});

const args = z.object({
  since: period.since.describe(
    "Return only changes at or after this time (RFC 3339). Older pages of the log are not requested.",
  ),
  until: period.until.describe("Return only changes before this time (RFC 3339)."),
  code: z.string().optional().describe("Return only changes of this kind, for example `db-delete`."),
  author: z.string().optional().describe("Return only changes by the person with this username."),
  limit,
});

type Args = z.output<typeof args>;

export const getAuditLogs = platformFunction({
  name: "getAuditLogs",
  reads: ["listAuditLogs"],
  description: "Changes in the organization, the latest first. The log only grows, so give `since` or a `limit`.",
  args,
  result: z.object({ entries: z.array(AuditLogEntry).describe("The entries, the latest first."), truncated }),
  validate: periodProblem,

  async read(wanted, context) {
    const { items, whole } = await explainAccess("listAuditLogs", context, () =>
      firstItems(matchingAuditLogs(wanted, context), wanted.limit),
    );
    const entries = items.map(({ created_at, ...entry }) => ({ ...entry, createdAt: created_at }));
    return { entries, truncated: !whole };
  },
});

/**
 * Yields the matching entries. The log lists the latest entries first, so the search stops at the first entry older
 * than `since`.
 */
async function* matchingAuditLogs({ limit, ...filter }: Args, { platform: { api } }: PlatformContext) {
  const { since, until, code, author } = filter;
  const [from, to] = [millisecondsOf(since, Number.NEGATIVE_INFINITY), millisecondsOf(until, Number.POSITIVE_INFINITY)];
  // Without a filter, requests one entry beyond the limit, which shows whether the result is truncated.
  const pageSize = Object.values(filter).some((given) => given !== undefined) || !limit ? undefined : limit + 1;
  const entries = eachNumberedPageItem(
    (query) => api.listAuditLogs({ query }),
    ({ audit_logs }: AuditLogPage) => audit_logs,
    pageSize,
  );
  for await (const entry of entries) {
    const at = Date.parse(entry.created_at);
    if (at < from) return;
    if (at < to && entry.code === (code ?? entry.code) && entry.author === (author ?? entry.author)) yield entry;
  }
}

const millisecondsOf = (text: string | undefined, absent: number): number =>
  text === undefined ? absent : Date.parse(text);
