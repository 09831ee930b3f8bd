import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationIdPath, organizationPath, organizationPaths } from "./organization";
import { RestoredDatabase } from "./recovery";
import { Pagination, pageQuery } from "./schemas";

/** The extensions of the SQL engine that a group can have (wire-facts 2.2). */
export const EXTENSIONS = [
  "vector",
  "vec",
  "crypto",
  "fuzzy",
  "math",
  "stats",
  "text",
  "unicode",
  "uuid",
  "regexp",
] as const;

/** The value that enables every extension. */
export const ALL_EXTENSIONS = "all" as const;

/** The record of a group (wire-facts 2.1). */
export const GroupSchema = lazy(() =>
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

const allById = "/v3/organizations/{organizationId}/groups";
export const oneGroupById = `${allById}/{groupId}`;
export const groupIdPath = lazy(() =>
  organizationIdPath().extend({ groupId: z.guid().meta({ description: "UUID of the group." }) }),
);

const oneLocation = `${oneGroup}/locations/{location}`;
const locationPath = lazy(() =>
  groupPath().extend({ location: z.string().min(1).meta({ description: "Code of a location." }) }),
);

/** The common part of the operations that add and remove a location. */
const changingLocations = {
  // The reason that the official npm client (2.0.5) gives.
  deprecated: "Turso Cloud has deprecated edge replicas.",
  paths: organizationPaths(oneLocation),
  params: locationPath,
  result: () => z.object({ group: GroupSchema() }),
  changes: ["groups", "databases"],
  access: { level: "group", scope: "group:configure", role: "member" },
} as const;

type Paths = readonly [string, ...string[]];

const listGroupsEndpoint = <Params extends z.ZodObject>(summary: string, paths: Paths, params: () => Params) =>
  endpoint({
    summary,
    method: "GET",
    paths,
    params,
    result: () => z.object({ groups: z.array(GroupSchema()) }),
    access: { level: "group", scope: "read" },
  });

const retrieveGroupEndpoint = <Params extends z.ZodObject>(summary: string, paths: Paths, params: () => Params) =>
  endpoint({
    summary,
    method: "GET",
    paths,
    params,
    result: () => z.object({ group: GroupSchema() }),
    access: { level: "group", scope: "read" },
  });

const configuration = lazy(() => z.object({ delete_protection: z.boolean() }));

export const groups = {
  listGroups: listGroupsEndpoint("List the groups of an organization.", organizationPaths(all), organizationPath),

  /** Creates a group (§4.7). */
  createGroup: endpoint({
    summary: "Create a group in a primary location.",
    method: "POST",
    paths: organizationPaths(all),
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
    result: () => z.object({ group: GroupSchema() }),
    repeats: { "body.name": "group.name", "body.location": "group.primary" },
    refusals: { 409: "The organization already has a group with this name." },
    // Invalidates the cached list of groups, which may still contain an earlier group with this name.
    changes: ["groups"],
    access: { level: "organization", role: "member" },
  }),

  retrieveGroup: retrieveGroupEndpoint("Retrieve a group.", organizationPaths(oneGroup), groupPath),

  deleteGroup: endpoint({
    summary: "Delete a group and its databases.",
    method: "DELETE",
    paths: organizationPaths(oneGroup),
    params: groupPath,
    result: () => z.object({ group: GroupSchema() }),
    refusals: { 403: "The group or a database in it is delete-protected." },
    changes: ["groups", "databases", "apiTokens"],
    access: { level: "organization", role: "member" },
  }),

  /** Retrieves the only setting of a group, its delete protection (wire-facts 2.2). */
  retrieveGroupConfiguration: endpoint({
    summary: "Retrieve the configuration of a group.",
    method: "GET",
    paths: organizationPaths(`${oneGroup}/configuration`),
    params: groupPath,
    result: configuration,
    access: { level: "group", scope: "read" },
  }),

  /** Changes the only setting of a group, its delete protection (wire-facts 2.2). */
  updateGroupConfiguration: endpoint({
    summary: "Change the configuration of a group.",
    method: "PATCH",
    paths: organizationPaths(`${oneGroup}/configuration`),
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
  }),

  /** Renames a group (wire-facts 2.2). The group keeps its UUID and its tokens. */
  renameGroup: endpoint({
    summary: "Rename a group.",
    method: "POST",
    paths: organizationPaths(`${oneGroup}/rename`),
    params: groupPath,
    body: () => z.object({ name: z.string() }),
    result: () => z.looseObject({}),
    refusals: { 409: "The organization already has another group with this name." },
    changes: ["groups", "databases", "apiTokens"],
    access: { level: "group", scope: "group:configure", role: "member" },
  }),

  /** Adds a location to a group (wire-facts 2.2). A location that the group already has is not added again. */
  addGroupLocation: endpoint({ ...changingLocations, summary: "Add a location to a group.", method: "POST" }),

  /** Removes a location from a group (wire-facts 2.2). The primary location cannot be removed. */
  removeGroupLocation: endpoint({
    ...changingLocations,
    summary: "Remove a location from a group.",
    method: "DELETE",
    refusals: { 400: "The location is unknown, or is the primary one." },
  }),

  /** Responds as soon as a location of a group is ready. Clients ignore the body (wire-facts 2.2). */
  awaitGroupLocation: endpoint({
    summary: "Wait until a location of a group is ready.",
    method: "GET",
    paths: organizationPaths(`${oneLocation}/wait`),
    params: locationPath,
    result: () => z.looseObject({}),
    access: { level: "group", scope: "read" },
  }),

  /** Unarchives a group, so that its databases can be woken again (wire-facts 2.2). */
  unarchiveGroup: endpoint({
    summary: "Unarchive a group.",
    method: "POST",
    paths: organizationPaths(`${oneGroup}/unarchive`),
    params: groupPath,
    result: () => z.object({ group: GroupSchema() }),
    changes: ["groups", "databases"],
    access: { level: "group", scope: "group:configure", role: "member" },
  }),

  /** Updates a group and all its databases to the newest version (wire-facts 2.2). */
  updateGroupVersion: endpoint({
    summary: "Update a group and its databases to the newest version.",
    method: "POST",
    paths: organizationPaths(`${oneGroup}/update`),
    params: groupPath,
    result: () => z.looseObject({}),
    changes: ["groups", "databases"],
    access: { level: "group", scope: "group:configure", role: "member" },
  }),

  /** Retrieves the state of a migration to AWS (wire-facts 2.2). By §5 rule 7, group-scoped credentials are rejected. */
  retrieveAwsMigration: endpoint({
    summary: "Retrieve the status of a group's migration to AWS.",
    method: "GET",
    paths: organizationPaths(`${oneGroup}/aws/migration/info`),
    params: groupPath,
    result: () => z.object({ status: z.enum(["none", "pending", "finished", "aborted"]), comment: z.string() }),
    access: { level: "organization" },
  }),

  /**
   * Transfers a group to another organization, identified by its slug in `organization` (wire-facts 2.2). The tokens of
   * the group are revoked (§3).
   */
  transferGroup: endpoint({
    summary: "Transfer a group to another organization.",
    method: "POST",
    paths: organizationPaths(`${oneGroup}/transfer`),
    params: groupPath,
    body: () => z.object({ organization: z.string().meta({ description: "Slug of the target organization." }) }),
    result: GroupSchema,
    refusals: {
      409: "The target organization already has a group or database with the name of the group or of a database in it.",
    },
    changes: ["groups", "databases", "apiTokens"],
    access: { level: "organization", role: "admin" },
  }),

  /** Lists groups like `listGroups`, but the path names the organization by UUID (wire-facts 2.4). */
  listGroupsById: listGroupsEndpoint("List the groups of an organization by its UUID.", [allById], organizationIdPath),

  /** Retrieves a group by its UUID, which stays the same when the group is renamed (wire-facts 2.4). */
  retrieveGroupById: retrieveGroupEndpoint("Retrieve a group by UUID.", [oneGroupById], groupIdPath),

  /** Lists the groups that were deleted within the last five days, including groups without databases (§4.4). */
  listDeletedGroups: endpoint({
    summary: "List the groups that were deleted within the last five days.",
    method: "GET",
    paths: ["/v3/organizations/{organizationId}/deleted-groups"],
    params: organizationIdPath,
    query: pageQuery,
    result: () => z.object({ groups: z.array(DeletedGroup()), pagination: Pagination().optional() }),
    access: { level: "organization", plan: "paid" },
  }),

  /**
   * Restores a group and every database that was deleted with it (wire-facts 4.4). `databases` lists the restored
   * databases in the order in which they were restored. `failures` maps the DbId of each database that could not be
   * restored to the reason.
   */
  restoreGroup: endpoint({
    summary: "Restore a deleted group and the databases that were deleted with it.",
    method: "POST",
    paths: ["/v3/organizations/{organizationId}/groups/{groupId}/restore"],
    params: () => organizationIdPath().extend({ groupId: z.guid().meta({ description: "UUID of a deleted group." }) }),
    result: () =>
      z.object({
        group: GroupSchema(),
        databases: z.array(RestoredDatabase()).meta({ description: "In the order of restoration." }),
        failures: z
          .record(z.string(), z.string())
          .default({})
          .meta({ description: "Reasons why databases could not be restored, by `DbId`." }),
      }),
    repeats: { groupId: "group.uuid" },
    refusals: {
      400: "Recovery is disabled for the organization, or the name is taken.",
      404: "No deleted group with this UUID exists, or its recovery window has passed.",
    },
    changes: ["groups", "deletedGroups", "databases"],
    access: { level: "organization", role: "admin", plan: "paid" },
  }),
};
