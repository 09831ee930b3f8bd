import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { inOrganization, organizationPath } from "./organization";
import { Pagination, pageQuery } from "./page";

/**
 * The record of a database (wire-facts 3.1). The public service also sends `group_id`, which its documentation does not
 * mention.
 */
export const Database = lazy(() =>
  z
    .object({
      Name: z.string(),
      DbId: z.guid(),
      Hostname: z.string(),
      group: z.string().meta({ description: "Name of the group." }),
      group_id: z.guid().optional(),
      regions: z.array(z.string()).default([]).meta({ description: "Codes of the database's locations." }),
      primaryRegion: z.string().default(""),
      delete_protection: z.boolean().default(false),
      block_reads: z.boolean().optional(),
      block_writes: z.boolean().optional(),
      allow_attach: z.boolean().optional(),
      version: z.string().optional(),
      engine: z.string().optional().meta({ description: "`libsql` or `tursodb`." }),
      sleeping: z.boolean().optional(),
      archived: z.boolean().optional().meta({ description: "Whether the group is archived." }),
      encryption_cipher: z.string().optional().meta({ description: "Present if the data is encrypted." }),
      parent: z
        .object({ id: z.guid(), name: z.string(), branched_at: z.iso.datetime({ offset: true }) })
        .nullish()
        .meta({ description: "The database that this one was copied from, with its name at that time." }),
    })
    .meta({ id: "Database" }),
);

const all = "/databases";
export const oneDatabase = `${all}/{databaseName}`;
export const databasePath = lazy(() =>
  organizationPath().extend({
    databaseName: z.string().min(1).meta({ description: "Name of the database." }),
  }),
);

/** Lists all databases in one response unless `limit` is given (wire-facts 13.10). */
export const listDatabases = endpoint({
  summary: "List the databases of an organization.",
  method: "GET",
  paths: inOrganization(all),
  params: organizationPath,
  query: () =>
    pageQuery().extend({
      group: z.string().optional().meta({ description: "Only databases of the group with this name." }),
      parent: z.string().optional().meta({ description: "Only copies of the database with this DbId." }),
      schema: z.string().optional().meta({ description: "Only children of the schema database with this name." }),
      type: z.string().optional().meta({ description: "`logical`, or `schema` for schema databases." }),
    }),
  result: () => z.object({ databases: z.array(Database()), pagination: Pagination().nullish() }),
  access: { level: "group", scope: "read" },
});

export const retrieveDatabase = endpoint({
  summary: "Retrieve a database by name.",
  method: "GET",
  paths: inOrganization(oneDatabase),
  params: databasePath,
  result: () => z.object({ database: Database() }),
  repeats: { databaseName: "database.Name" },
  access: { level: "group", scope: "read" },
});

export const deleteDatabase = endpoint({
  summary: "Delete a database by name.",
  method: "DELETE",
  paths: inOrganization(oneDatabase),
  params: databasePath,
  result: () => z.object({ database: z.string() }),
  refusals: { 403: "The database is delete-protected." },
  changes: ["databases"],
  access: { level: "group", scope: "db:delete", role: "member" },
});
