import { listAuditLogs } from "../store/audit-logs";
import type { Handlers } from "./handler";

const PAGE_SIZE = 100;

export const auditLog: Pick<Handlers, "listAuditLogs"> = {
  async listAuditLogs({ query }, { state, accessScope }) {
    const { page = 1, page_size = PAGE_SIZE } = query;
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
};
