import * as z from "zod";
import { ALL_EXTENSIONS, EXTENSIONS } from "../values/extension";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { inOrganization, organizationIdPath, organizationPath } from "./organization";
import { Pagination, pageQuery } from "./page";

/** The record of a group (wire-facts 2.1). */
export const Group = lazy(() =>
  z
    .object({
      uuid: z.guid(),
      name: z.string(),
      locations: z
        .array(z.string())
        .default([])
        .meta({ description: "Codes of all locations, including the primary one." }),
      primary: z.string().meta({ description: "Code of the primary location." }),
      delete_protection: z.boolean().default(false),
      archived: z.boolean().optional(),
      version: z.string().optional(),
      status: z
        .object({ locations: z.array(z.object({ name: z.string(), status: z.string() })) })
        .optional()
        .meta({ description: "Status of each location: `running`, `stopped` or `down`." }),
    })
    .meta({ id: "Group" }),
);

/** The record of a deleted group (§2.3). */
const DeletedGroup = lazy(() =>
  z
    .object({
      uuid: z.guid(),
      name: z.string(),
      deleted_at: z.iso.datetime({ offset: true }),
      cascade_databases: z.int().meta({ description: "Number of databases deleted with the group." }),
    })
    .meta({ id: "DeletedGroup" }),
);

const all = "/groups";
export const oneGroup = `${all}/{groupName}`;
export const groupPath = lazy(() =>
  organizationPath().extend({
    groupName: z.string().min(1).meta({ description: "Name of the group." }),
  }),
);

export const listGroups = endpoint({
  summary: "List the groups of an organization.",
  method: "GET",
  paths: inOrganization(all),
  params: organizationPath,
  result: () => z.object({ groups: z.array(Group()) }),
  access: { level: "group", scope: "read" },
});

/** Creates a group (§4.7). */
export const createGroup = endpoint({
  summary: "Create a group in a primary location.",
  method: "POST",
  paths: inOrganization(all),
  params: organizationPath,
  body: () =>
    z.object({
      name: z.string(),
      location: z.string().meta({ description: "Code of the primary location." }),
      extensions: z
        .union([z.literal(ALL_EXTENSIONS), z.array(z.enum(EXTENSIONS))])
        .nullish()
        .meta({ description: "Extensions of the SQL engine." }),
    }),
  result: () => z.object({ group: Group() }),
  repeats: { "body.name": "group.name", "body.location": "group.primary" },
  refusals: { 409: "The organization already has a group with this name." },
  // Invalidates the cached list of groups, which may still contain an earlier group with this name.
  changes: ["groups"],
  access: { level: "organization", role: "member" },
});

export const retrieveGroup = endpoint({
  summary: "Retrieve a group.",
  method: "GET",
  paths: inOrganization(oneGroup),
  params: groupPath,
  result: () => z.object({ group: Group() }),
  access: { level: "group", scope: "read" },
});

export const deleteGroup = endpoint({
  summary: "Delete a group and its databases.",
  method: "DELETE",
  paths: inOrganization(oneGroup),
  params: groupPath,
  result: () => z.object({ group: Group() }),
  refusals: { 403: "The group or a database in it is delete-protected." },
  changes: ["groups", "databases", "apiTokens"],
  access: { level: "organization", role: "member" },
});

/** Lists the groups that were deleted within the last five days, including groups without databases (§4.4). */
export const listDeletedGroups = endpoint({
  summary: "List the groups that were deleted within the last five days.",
  method: "GET",
  paths: ["/v3/organizations/{organizationId}/deleted-groups"],
  params: organizationIdPath,
  query: pageQuery,
  result: () => z.object({ groups: z.array(DeletedGroup()), pagination: Pagination().optional() }),
  access: { level: "organization", plan: "paid" },
});

const configuration = lazy(() => z.object({ delete_protection: z.boolean() }));

/** Retrieves the only setting of a group, its delete protection (wire-facts 2.2). */
export const retrieveGroupConfiguration = endpoint({
  summary: "Retrieve the configuration of a group.",
  method: "GET",
  paths: inOrganization(`${oneGroup}/configuration`),
  params: groupPath,
  result: configuration,
  access: { level: "group", scope: "read" },
});

/** Changes the only setting of a group, its delete protection (wire-facts 2.2). */
export const updateGroupConfiguration = endpoint({
  summary: "Change the configuration of a group.",
  method: "PATCH",
  paths: inOrganization(`${oneGroup}/configuration`),
  params: groupPath,
  body: () =>
    z.object({
      delete_protection: z
        .boolean()
        .nullish()
        .meta({ examples: [true] }),
    }),
  result: configuration,
  changes: ["groups"],
  access: { level: "group", scope: "group:configure", role: "member" },
});

/** Renames a group (wire-facts 2.2). The group keeps its UUID and its tokens. */
export const renameGroup = endpoint({
  summary: "Rename a group.",
  method: "POST",
  paths: inOrganization(`${oneGroup}/rename`),
  params: groupPath,
  body: () => z.object({ name: z.string() }),
  result: () => z.looseObject({}),
  refusals: { 409: "The organization already has another group with this name." },
  changes: ["groups", "databases", "apiTokens"],
  access: { level: "group", scope: "group:configure", role: "member" },
});

/**
 * Transfers a group to another organization, identified by its slug in `organization` (wire-facts 2.2). The tokens of
 * the group are revoked (§3).
 */
export const transferGroup = endpoint({
  summary: "Transfer a group to another organization.",
  method: "POST",
  paths: inOrganization(`${oneGroup}/transfer`),
  params: groupPath,
  body: () => z.object({ organization: z.string().meta({ description: "Slug of the target organization." }) }),
  result: Group,
  refusals: {
    409: "The target organization already has a group or database with the name of the group or of a database in it.",
  },
  changes: ["groups", "databases", "apiTokens"],
  access: { level: "organization", role: "admin" },
});
