import * as z from "zod";
import { CIPHERS, isCipherKey } from "../values/cipher";
import { ENCRYPTION_NOT_OBJECT, KEY_NOT_TEXT, unknownCipher, WRONG_KEY_LENGTH } from "../values/messages";
import { sizeProblem } from "../values/size";
import { fieldSchemas, fieldsShownIn } from "./configuration-fields";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationIdPath, organizationPath, organizationPaths } from "./organization";
import { checkedText, errorWithoutValue, Pagination, pageQuery } from "./schemas";

/**
 * The record of a database (wire-facts 3.1). The public service also sends `group_id`, which its documentation does not
 * mention.
 */
export const DatabaseSchema = lazy(() =>
  z
    .object({
      Name: z.string(),
      DbId: z.guid(),
      Hostname: z.string(),
      group: z.string().meta({ description: "Name of the group." }),
      group_id: z.guid().optional(),
      regions: z.array(z.string()).default([]).meta({ description: "Codes of the database's locations." }),
      primaryRegion: z.string().default(""),
      ...fieldSchemas("shown", fieldsShownIn("record")),
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

/**
 * The record of a database by UUID (wire-facts 3.7). It includes the allow rules, because no path retrieves a
 * configuration by UUID.
 */
const DatabaseById = lazy(() =>
  DatabaseSchema().extend({
    allow_rules_config: z.object(fieldSchemas("shown", fieldsShownIn("rules"))).nullish(),
  }),
);

/** The part of a database's record that is returned when the database is created (wire-facts 3.2). */
const CreatedDatabase = lazy(() =>
  z.object({ Name: z.string(), DbId: z.guid(), Hostname: z.string() }).meta({ id: "CreatedDatabase" }),
);

/**
 * The source of a new database's data (wire-facts 3.3). This schema does not check which fields belong together; the
 * reference API does.
 */
const Seed = lazy(() =>
  z.object({
    type: z.enum(["database", "dump", "database_upload"]),
    name: z.string().optional().meta({ description: "Name of the database to copy." }),
    value: z.string().optional().meta({ description: "Alias of `name`, as the command line sends it." }),
    url: z
      .string()
      .optional()
      .meta({ description: "Address of a dump: one that was uploaded before, or any other http(s) address." }),
    timestamp: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: "Point in time of the data to copy (RFC 3339). Default: now." }),
  }),
);

/** Drops the key after validation, because only the name of the cipher is stored. */
const RemoteEncryption = lazy(() =>
  z
    .object(
      {
        encryption_key: z
          .string(errorWithoutValue(KEY_NOT_TEXT))
          .meta({ description: "16 or 32 bytes in base64, as the cipher requires." }),
        encryption_cipher: z.enum(CIPHERS, errorWithoutValue(unknownCipher({ ciphers: CIPHERS }))),
      },
      errorWithoutValue(ENCRYPTION_NOT_OBJECT),
    )
    .refine(({ encryption_key, encryption_cipher }) => isCipherKey(encryption_cipher, encryption_key), {
      path: ["encryption_key"],
      message: WRONG_KEY_LENGTH,
    })
    .transform(({ encryption_cipher }) => encryption_cipher),
);

/**
 * The body of a request that creates a database (wire-facts 3.3). Without a group, the database goes into the group
 * `default`.
 */
const creation = lazy(() =>
  z.object({
    name: z.string(),
    group: z
      .string()
      .optional()
      .meta({ description: "Name of a group. Default: `default`.", examples: ["default"] }),
    seed: Seed().nullish(),
    size_limit: checkedText(sizeProblem).nullish(),
    remote_encryption: RemoteEncryption().nullish(),
    use_tursodb: z
      .boolean()
      .nullish()
      .meta({ description: "Whether to use the engine `tursodb` instead of `libsql`." }),
    is_schema: z.boolean().nullish().meta({ deprecated: true, description: "Must not be true." }),
    schema: z.string().nullish().meta({ deprecated: true, description: "Must be empty." }),
  }),
);

const all = "/databases";
export const oneDatabase = `${all}/{databaseName}`;
export const databasePath = lazy(() =>
  organizationPath().extend({
    databaseName: z.string().min(1).meta({ description: "Name of the database." }),
  }),
);

const allById = "/v3/organizations/{organizationId}/databases";
export const oneDatabaseById = `${allById}/{databaseId}`;
export const databaseIdPath = lazy(() =>
  organizationIdPath().extend({
    databaseId: z.guid().meta({ description: "UUID of the database: its `DbId`." }),
  }),
);

/** The common part of the two operations that create a database. */
const creating = {
  method: "POST",
  result: () => z.object({ database: CreatedDatabase() }),
  refusals: {
    400: "The group does not exist, the source of the seed does not exist or is no longer kept, or a copy lacks the encryption of its source.",
    409: "The organization already has a database with this name.",
  },
  changes: [],
  access: { level: "group", scope: "db:create", role: "member" },
} as const;

/** The common part of the two operations that delete a database. */
const deleting = {
  method: "DELETE",
  refusals: { 403: "The database is delete-protected." },
  changes: ["databases"],
  access: { level: "group", scope: "db:delete", role: "member" },
} as const;

export const databases = {
  /** Lists all databases in one response unless `limit` is given (wire-facts 13.10). */
  listDatabases: endpoint({
    summary: "List the databases of an organization.",
    method: "GET",
    paths: organizationPaths(all),
    params: organizationPath,
    query: () =>
      pageQuery().extend({
        group: z.string().optional().meta({ description: "Only databases of the group with this name." }),
        parent: z.string().optional().meta({ description: "Only copies of the database with this DbId." }),
        schema: z.string().optional().meta({ description: "Only children of the schema database with this name." }),
        type: z.string().optional().meta({ description: "`logical`, or `schema` for schema databases." }),
      }),
    result: () => z.object({ databases: z.array(DatabaseSchema()), pagination: Pagination().nullish() }),
    access: { level: "group", scope: "read" },
  }),

  /** Creates a database, which can start with the data of another database or of a dump (§4.8). */
  createDatabase: endpoint({
    ...creating,
    summary: "Create a database in a group.",
    paths: organizationPaths(all),
    params: organizationPath,
    body: creation,
    repeats: { "body.name": "database.Name" },
  }),

  /** Creates a database like `createDatabase`, but the request can name the group by UUID (wire-facts 3.7). */
  createDatabaseById: endpoint({
    ...creating,
    summary: "Create a database in a group by its UUID.",
    paths: [allById],
    params: organizationIdPath,
    body: () =>
      creation().extend({
        group_id: z.guid().optional().meta({ description: "UUID of a group, instead of its name." }),
      }),
  }),

  retrieveDatabase: endpoint({
    summary: "Retrieve a database by name.",
    method: "GET",
    paths: organizationPaths(oneDatabase),
    params: databasePath,
    result: () => z.object({ database: DatabaseSchema() }),
    repeats: { databaseName: "database.Name" },
    access: { level: "group", scope: "read" },
  }),

  deleteDatabase: endpoint({
    ...deleting,
    summary: "Delete a database by name.",
    paths: organizationPaths(oneDatabase),
    params: databasePath,
    result: () => z.object({ database: z.string() }),
  }),

  /** Lists live databases (wire-facts 3.7). With the query parameter `deleted`, the same path lists deleted databases. */
  listDatabasesById: endpoint({
    summary: "List the databases of an organization by its UUID.",
    method: "GET",
    paths: [allById],
    params: organizationIdPath,
    query: () =>
      pageQuery().extend({
        group_id: z.guid().optional().meta({ description: "Only databases of the group with this UUID." }),
        parent_db_id: z.guid().optional().meta({ description: "Only copies of the database with this DbId." }),
      }),
    result: () => z.object({ databases: z.array(DatabaseById()), pagination: Pagination().nullish() }),
    access: { level: "group", scope: "read" },
  }),

  /** Retrieves a database with more of its configuration than `retrieveDatabase` returns (wire-facts 3.7). */
  retrieveDatabaseById: endpoint({
    summary: "Retrieve a database by UUID.",
    method: "GET",
    paths: [oneDatabaseById],
    params: databaseIdPath,
    result: () => z.object({ database: DatabaseById() }),
    repeats: { databaseId: "database.DbId" },
    access: { level: "group", scope: "read" },
  }),

  /** Deletes a database by UUID, unless it is delete-protected (wire-facts 3.7). */
  deleteDatabaseById: endpoint({
    ...deleting,
    summary: "Delete a database by UUID.",
    paths: [oneDatabaseById],
    params: databaseIdPath,
    result: () => z.looseObject({}),
  }),
};

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
    body: () => z.object({ file: z.file().meta({ description: "SQL statements as text, or a SQLite database." }) }),
    result: () => z.object({ dump_url: z.url() }),
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
