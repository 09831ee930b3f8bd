import * as z from "zod";
import { databasePath, oneDatabase } from "./database";
import { endpoint, lazy } from "./endpoint";
import { organizationPath, organizationPaths } from "./organization";

const body = lazy(() =>
  z.object({ file: z.file().meta({ description: "SQL statements as text, or a SQLite database." }) }),
);

export const databaseActions = {
  /**
   * Uploads a dump (wire-facts 3.2). The returned address can be used as the `url` of a seed, but only in this
   * organization.
   */
  uploadDump: endpoint({
    summary: "Upload a dump for creating databases.",
    method: "POST",
    paths: organizationPaths("/databases/dumps"),
    params: organizationPath,
    consumes: "multipart",
    body,
    result: () => z.object({ dump_url: z.url() }),
    changes: [],
    access: { level: "group", scope: "db:create", role: "member" },
  }),

  /** Fills an existing database from an uploaded dump (wire-facts 3.2). */
  seedDatabase: endpoint({
    summary: "Fill a database from a dump.",
    method: "POST",
    paths: organizationPaths(`${oneDatabase}/seed`),
    params: databasePath,
    consumes: "multipart",
    body,
    result: () => z.looseObject({}),
    changes: [],
    access: { level: "group", scope: "db:create", role: "member" },
  }),

  /** Wakes a sleeping database, unless its group is archived (wire-facts 3.2). */
  wakeDatabase: endpoint({
    summary: "Wake a sleeping database.",
    method: "POST",
    paths: organizationPaths(`${oneDatabase}/wakeup`),
    params: databasePath,
    result: () => z.looseObject({}),
    refusals: { 400: "The group is archived." },
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "member" },
  }),

  /**
   * Updates a single database to the newest version (wire-facts 3.2). To update all databases of a group, use
   * `updateGroupVersion`.
   */
  updateDatabaseVersion: endpoint({
    summary: "Update a database to the newest version.",
    method: "POST",
    paths: organizationPaths(`${oneDatabase}/update`),
    params: databasePath,
    result: () => z.looseObject({}),
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "member" },
  }),

  /**
   * Moves a database to another organization (wire-facts 3.2). The database goes into the group `default` of that
   * organization, and keeps its UUID, configuration and signing key.
   */
  transferDatabase: endpoint({
    summary: "Transfer a database to another organization.",
    method: "POST",
    paths: organizationPaths(`${oneDatabase}/transfer`),
    params: databasePath,
    body: () => z.object({ org: z.string().meta({ description: "Slug of the target organization." }) }),
    result: () => z.looseObject({}),
    refusals: {
      400: "The database already belongs to the target organization, the target organization has no group `default`, or the name is too long there.",
      409: "The target organization already has a database with this name.",
    },
    changes: ["databases"],
    access: { level: "group", scope: "db:configure", role: "admin" },
  }),
};
