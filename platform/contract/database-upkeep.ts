import * as z from "zod";
import { databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { inOrganization } from "./organization";

/** Wakes a sleeping database, unless its group is archived (wire-facts 3.2). */
export const wakeDatabase = endpoint({
  summary: "Wake a sleeping database.",
  method: "POST",
  paths: inOrganization(`${oneDatabase}/wakeup`),
  params: databasePath,
  result: () => z.looseObject({}),
  refusals: { 400: "The group is archived." },
  changes: ["databases"],
  access: { level: "group", scope: "db:configure", role: "member" },
});

/**
 * Updates a single database to the newest version (wire-facts 3.2). To update all databases of a group, use
 * `updateGroupVersion`.
 */
export const updateDatabaseVersion = endpoint({
  summary: "Update a database to the newest version.",
  method: "POST",
  paths: inOrganization(`${oneDatabase}/update`),
  params: databasePath,
  result: () => z.looseObject({}),
  changes: ["databases"],
  access: { level: "group", scope: "db:configure", role: "member" },
});

/**
 * Moves a database to another organization (wire-facts 3.2). The database goes into the group `default` of that
 * organization, and keeps its UUID, configuration and signing key.
 */
export const transferDatabase = endpoint({
  summary: "Transfer a database to another organization.",
  method: "POST",
  paths: inOrganization(`${oneDatabase}/transfer`),
  params: databasePath,
  body: () => z.object({ org: z.string().meta({ description: "Slug of the target organization." }) }),
  result: () => z.looseObject({}),
  refusals: {
    400: "The database already belongs to the target organization, the target organization has no group `default`, or the name is too long there.",
    409: "The target organization already has a database with this name.",
  },
  changes: ["databases"],
  access: { level: "group", scope: "db:configure", role: "admin" },
});
