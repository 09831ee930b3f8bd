import { checkedColumns } from "../store/columns";
import { nextNumber } from "../store/counters";
import type { AuditLogRow, State } from "../store/schema";
import type { Operations } from "./operation";

const AUDIT_LOG_PAGE = 100;

export const auditLogs = {
  listAuditLogs: {
    async handle({ query }, { state, accessScope }) {
      const { page = 1, page_size = AUDIT_LOG_PAGE } = query;
      const { rows, total } = await listAuditLogs(state, accessScope.organization.id, { page, pageSize: page_size });
      return {
        audit_logs: rows.map(({ code, message, origin, author, created_at, data }) => ({
          code,
          message,
          origin,
          author,
          created_at,
          data: JSON.parse(data) as Record<string, unknown>,
        })),
        pagination: { page, page_size, total_pages: Math.ceil(total / page_size), total_rows: total },
      };
    },
  },
} satisfies Partial<Operations>;

/** Returns the name of the counter that numbers an organization's audit-log entries. */
export const auditLogCounterOf = (organizationId: string): string => `audit-logs of ${organizationId}`;

/** Adds an entry and numbers it within its organization, so that a page can be found without counting entries. */
export async function addAuditLog(state: State, entry: Omit<AuditLogRow, "number">): Promise<void> {
  const number = await nextNumber(state, auditLogCounterOf(entry.organization_id));
  await state
    .insertInto("audit_logs")
    .values(checkedColumns({ ...entry, number }))
    .execute();
}

/** Lists one page of entries, newest first. `total` counts the entries on all pages. */
export async function listAuditLogs(
  state: State,
  organizationId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: AuditLogRow[]; total: number }> {
  const total = await lastAuditLogNumber(state, organizationId);
  const last = total - (page - 1) * pageSize;
  const rows = await state
    .selectFrom("audit_logs")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("number", "<=", last)
    .where("number", ">", last - pageSize)
    .orderBy("number", "desc")
    .execute();
  return { rows, total };
}

export async function lastAuditLogNumber(state: State, organizationId: string): Promise<number> {
  const row = await state
    .selectFrom("audit_logs")
    .select("number")
    .where("organization_id", "=", organizationId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? 0;
}
