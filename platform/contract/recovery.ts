import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationIdPath } from "./organization";
import { Pagination, pageQuery } from "./schemas";

/** How long a deleted database or group can be restored, in milliseconds (§8). The limit is inclusive. */
export const RECOVERY_WINDOW_MS = 5 * 24 * 60 * 60 * 1000;

/** The record of a deleted database (§2.1). */
export const DeletedDatabase = lazy(() =>
  z
    .object({
      Name: z.string(),
      DbId: z.guid(),
      Hostname: z.string(),
      group: z.string(),
      group_id: z.guid(),
      organization_id: z.guid(),
      regions: z.array(z.string()).default([]),
      primaryRegion: z.string().default(""),
      delete_protection: z.boolean().default(false),
      deleted_at: z.iso.datetime({ offset: true }),
      group_deleted_at: z.iso
        .datetime({ offset: true })
        .nullish()
        .meta({ description: "Present when the group was deleted together with the database." }),
    })
    .meta({ id: "DeletedDatabase" }),
);

/** The record of a restored database. Clients accept it with and without the time of deletion. */
export const RestoredDatabase = lazy(() =>
  DeletedDatabase().partial({ deleted_at: true }).meta({ id: "RestoredDatabase" }),
);

export const recovery = {
  /**
   * Lists deleted databases (wire-facts 4.1). Requires a paid plan, although the specification does not say so
   * (wire-facts 0.0).
   */
  listDeletedDatabases: endpoint({
    summary: "List the databases that were deleted within the last five days.",
    method: "GET",
    paths: ["/v3/organizations/{organizationId}/databases"],
    queryFlag: "deleted",
    params: organizationIdPath,
    query: () =>
      pageQuery().extend({
        deleted: z.literal("true").meta({ description: "Lists deleted databases instead of live ones." }),
        search: z.string().optional().meta({ description: "Part of a database's name." }),
      }),
    result: () => z.object({ databases: z.array(DeletedDatabase()), pagination: Pagination().optional() }),
    access: { level: "group", scope: "read", plan: "paid" },
  }),

  /** Restores a deleted database, under a new name if the request contains one (§4.1). */
  restoreDatabase: endpoint({
    summary: "Restore a deleted database.",
    method: "POST",
    paths: ["/v3/organizations/{organizationId}/databases/{databaseId}/restore"],
    params: () =>
      organizationIdPath().extend({ databaseId: z.guid().meta({ description: "`DbId` of a deleted database." }) }),
    body: () =>
      z
        .object({
          name: z
            .string()
            .optional()
            .meta({
              description: "New name of the database. Default: its original name.",
              examples: ["newsletter-restored"],
            }),
        })
        .optional(),
    result: () => z.object({ database: RestoredDatabase() }),
    repeats: { databaseId: "database.DbId", "body.name": "database.Name" },
    refusals: {
      400: "Recovery is disabled for the organization, or the name is taken.",
      404: "No deleted database with this UUID exists, or its recovery window has passed.",
    },
    // If the database was deleted with its group, the group is restored too.
    changes: ["databases", "deletedGroups"],
    access: { level: "group", scope: "db:create", role: "admin", plan: "paid" },
  }),
};
