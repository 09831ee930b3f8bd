import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPath } from "./organization";
import { wholeNumberUpTo } from "./schemas";

/** An entry in the audit log (§2.6). */
const AuditLog = lazy(() =>
  z
    .object({
      code: z.string().meta({ description: "Code of the event, such as `db-create`." }),
      message: z.string(),
      origin: z.string().meta({ description: "Origin of the action: `cli`, `web` or `api`." }),
      author: z.string().meta({ description: "Username." }),
      created_at: z.iso.datetime({ offset: true }),
      data: z.record(z.string(), z.unknown()).meta({ description: "Names and ids of the changed objects." }),
    })
    .meta({ id: "AuditLog" }),
);

export const auditLogs = {
  /** Lists the audit log (§4.6). Organizations on the free plan get an error instead. */
  listAuditLogs: endpoint({
    summary: "List the audit log of an organization, latest entries first.",
    method: "GET",
    paths: ["/v1/organizations/{organizationSlug}/audit-logs"],
    params: organizationPath,
    query: () =>
      z.object({
        page_size: wholeNumberUpTo(1000).optional().meta({ description: "1 to 1000. Default: 100." }),
        page: wholeNumberUpTo(1_000_000).optional().meta({ description: "Number of the page, from 1. Default: 1." }),
      }),
    result: () =>
      z.object({
        audit_logs: z.array(AuditLog()),
        pagination: z.object({
          page: z.int(),
          page_size: z.int(),
          total_pages: z.int(),
          total_rows: z.int(),
        }),
      }),
    access: { level: "organization", plan: "paid" },
  }),
};
