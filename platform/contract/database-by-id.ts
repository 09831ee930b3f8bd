import * as z from "zod";
import { Database } from "./database";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationIdPath } from "./organization";
import { Pagination, pageQuery } from "./page";

const all = "/v3/organizations/{organizationId}/databases";
const one = `${all}/{databaseId}`;
export const databaseIdPath = lazy(() =>
  organizationIdPath().extend({
    databaseId: z.guid().meta({ description: "UUID of the database: its `DbId`." }),
  }),
);

/**
 * The record of a database by UUID (wire-facts 3.7). It includes the allow rules, because no path retrieves a
 * configuration by UUID.
 */
const DatabaseById = lazy(() =>
  Database().extend({
    allow_rules_config: z
      .object({ allowed_ips: z.array(z.string()), allowed_aws_vpc_ids: z.array(z.string()) })
      .optional(),
  }),
);

/** Lists live databases (wire-facts 3.7). With the query parameter `deleted`, the same path lists deleted databases. */
export const listDatabasesById = endpoint({
  summary: "List the databases of an organization by its UUID.",
  method: "GET",
  paths: [all],
  params: organizationIdPath,
  query: () =>
    pageQuery().extend({
      group_id: z.guid().optional().meta({ description: "Only databases of the group with this UUID." }),
      parent_db_id: z.guid().optional().meta({ description: "Only copies of the database with this DbId." }),
    }),
  result: () => z.object({ databases: z.array(DatabaseById()), pagination: Pagination().nullish() }),
  access: { level: "group", scope: "read" },
});

/** Retrieves a database with more of its configuration than `retrieveDatabase` returns (wire-facts 3.7). */
export const retrieveDatabaseById = endpoint({
  summary: "Retrieve a database by UUID.",
  method: "GET",
  paths: [one],
  params: databaseIdPath,
  result: () => z.object({ database: DatabaseById() }),
  repeats: { databaseId: "database.DbId" },
  access: { level: "group", scope: "read" },
});

/** Deletes a database by UUID, unless it is delete-protected (wire-facts 3.7). */
export const deleteDatabaseById = endpoint({
  summary: "Delete a database by UUID.",
  method: "DELETE",
  paths: [one],
  params: databaseIdPath,
  result: () => z.looseObject({}),
  refusals: { 403: "The database is delete-protected." },
  changes: ["databases"],
  access: { level: "group", scope: "db:delete", role: "member" },
});
