import * as z from "zod";
import { databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { inOrganization, organizationPath } from "./organization";

const body = lazy(() =>
  z.object({ file: z.file().meta({ description: "SQL statements as text, or a SQLite database." }) }),
);

/**
 * Uploads a dump (wire-facts 3.2). The returned address can be used as the `url` of a seed, but only in this
 * organization.
 */
export const uploadDump = endpoint({
  summary: "Upload a dump for creating databases.",
  method: "POST",
  paths: inOrganization("/databases/dumps"),
  params: organizationPath,
  consumes: "multipart",
  body,
  result: () => z.object({ dump_url: z.url() }),
  changes: [],
  access: { level: "group", scope: "db:create", role: "member" },
});

/** Fills an existing database from an uploaded dump (wire-facts 3.2). */
export const seedDatabase = endpoint({
  summary: "Fill a database from a dump.",
  method: "POST",
  paths: inOrganization(`${oneDatabase}/seed`),
  params: databasePath,
  consumes: "multipart",
  body,
  result: () => z.looseObject({}),
  changes: [],
  access: { level: "group", scope: "db:create", role: "member" },
});
