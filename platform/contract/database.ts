import { z } from "zod";
import { endpoint } from "./endpoint";
import { inOrganization, organizationIdPath, organizationPath } from "./organization";
import { Pagination, pageQuery } from "./page";

/** Wire-facts 3.1. The documented record lacks `group_id`; the service sends it. */
export const Database = z
  .object({
    Name: z.string(),
    DbId: z.guid(),
    Hostname: z.string(),
    group: z.string().meta({ description: "Name of the group." }),
    group_id: z.guid().optional(),
    regions: z.array(z.string()).default([]).meta({ description: "Codes of its locations." }),
    primaryRegion: z.string().default(""),
    delete_protection: z.boolean().default(false),
  })
  .meta({ id: "Database" });

/** What creation answers (wire-facts 3.2). */
const CreatedDatabase = z
  .object({ Name: z.string(), DbId: z.guid(), Hostname: z.string() })
  .meta({ id: "CreatedDatabase" });

const all = "/databases";
const byName = {
  path: `${all}/{databaseName}`,
  params: organizationPath.extend({ databaseName: z.string().min(1).meta({ description: "Name of the database." }) }),
};
const byId = {
  path: "/v3/organizations/{organizationId}/databases/{databaseId}",
  params: organizationIdPath.extend({
    databaseId: z.guid().meta({ description: "UUID of the database: its `DbId`." }),
  }),
};

/** Everything at once unless `limit` is given (wire-facts 13.10). */
export const listDatabases = endpoint({
  summary: "List the databases of an organization.",
  method: "GET",
  paths: inOrganization(all),
  params: organizationPath,
  query: pageQuery.extend({
    group: z.string().optional().meta({ description: "Name of a group: only its databases." }),
  }),
  result: z.object({ databases: z.array(Database), pagination: Pagination.nullish() }),
  access: { level: "group", scope: "read" },
});

/** §4.8 */
export const createDatabase = endpoint({
  summary: "Create a database in a group.",
  method: "POST",
  paths: inOrganization(all),
  params: organizationPath,
  body: z.object({
    name: z.string(),
    group: z.string().optional().meta({ description: "Name of a group. Left out: `default`." }),
  }),
  result: z.object({ database: CreatedDatabase }),
  refusals: { 400: "There is no group of this name.", 409: "The organization has a database of this name." },
  access: { level: "group", scope: "db:create", role: "member" },
});

export const retrieveDatabase = endpoint({
  summary: "Retrieve a database by name.",
  method: "GET",
  paths: inOrganization(byName.path),
  params: byName.params,
  result: z.object({ database: Database }),
  access: { level: "group", scope: "read" },
});

export const deleteDatabase = endpoint({
  summary: "Delete a database by name.",
  method: "DELETE",
  paths: inOrganization(byName.path),
  params: byName.params,
  result: z.object({ database: z.string() }),
  refusals: { 403: "The database is delete-protected." },
  access: { level: "group", scope: "db:delete", role: "member" },
});

/** Wire-facts 3.7. */
export const retrieveDatabaseById = endpoint({
  summary: "Retrieve a database by UUID.",
  method: "GET",
  paths: [byId.path],
  params: byId.params,
  result: z.object({ database: Database }),
  access: { level: "group", scope: "read" },
});

/** Wire-facts 3.7. */
export const deleteDatabaseById = endpoint({
  summary: "Delete a database by UUID.",
  method: "DELETE",
  paths: [byId.path],
  params: byId.params,
  result: z.looseObject({}),
  refusals: { 403: "The database is delete-protected." },
  access: { level: "group", scope: "db:delete", role: "member" },
});

const used = z.object({
  rows_read: z.number(),
  rows_written: z.number(),
  storage_bytes: z.number(),
  bytes_synced: z.number(),
});

/** Wire-facts 3.6: the sum is called `total` in one place and `usage` in another, so both are there. */
export const retrieveDatabaseUsage = endpoint({
  summary: "Retrieve the usage of a database.",
  method: "GET",
  paths: inOrganization(`${byName.path}/usage`),
  params: byName.params,
  query: z.object({
    from: z.iso.datetime({ offset: true }).optional().meta({ description: "RFC 3339; the start of the month." }),
    to: z.iso.datetime({ offset: true }).optional().meta({ description: "RFC 3339; now." }),
  }),
  result: z.object({
    database: z.object({
      uuid: z.guid(),
      instances: z.array(z.object({ uuid: z.string(), usage: used })),
      total: used,
      usage: used,
    }),
  }),
  access: { level: "group", scope: "read" },
});
