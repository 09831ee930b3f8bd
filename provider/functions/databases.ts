import * as z from "zod";
import { isRefusal, Refusal, unlessAbsent } from "../../kit/refusal";
import type { DatabaseSchema } from "../../platform/contract/database";
import { canonicalUuid } from "../../platform/values/uuid";
import { readPages } from "../client/pages";
import { type PlatformContext, platformFunction } from "../platform";
import { renaming } from "../renaming";
import { configurationNames, UNCONFIGURED } from "../resources/database/configuration-fields";
import { database } from "../resources/database/database";
import { databaseConfiguration } from "../resources/database/database-configuration";
import { databaseUrls, engineOf, parentOf } from "../resources/database/state";
import { withGroup } from "../resources/group/reference";
import { adviceOnPlannedObject } from "../resources/importable";
import { recoveryTimeOf } from "../resources/restoration";
import { exactlyOne, limit, uuid } from "./arguments";
import { databaseNotFound } from "./messages";
import { namedResultType, recoveryTime, truncated } from "./results";

const databaseNames = renaming({
  name: "Name",
  dbId: "DbId",
  hostname: "Hostname",
  groupId: "group_id",
  groupName: "group",
  regions: "regions",
  primaryRegion: "primaryRegion",
  encryptionCipher: "encryption_cipher",
  deletedAt: "deleted_at",
  groupDeletedAt: "group_deleted_at",
});

export const oneDatabase = z.object({
  name: z.string().optional().describe("Name of the database. Give either this or `dbId`."),
  dbId: uuid.optional().describe("DbId of the database. Give either this or `name`."),
});

export const whichDatabase = exactlyOne<z.output<typeof oneDatabase>>("name", "dbId");

const { dbId, hostname, url, httpUrl, groupId, groupName, regions, primaryRegion, encryptionCipher, engine, parent } =
  database.state.shape;

export const commonFields = {
  name: z.string().describe("Name of the database."),
  dbId,
  hostname,
  groupId,
  groupName,
  regions,
  primaryRegion,
};

const LiveDatabase = namedResultType("LiveDatabase", "A database that is not deleted.", {
  ...commonFields,
  url,
  httpUrl,
  groupId: groupId.optional(),
  deleteProtection: z.boolean().describe("Whether the platform refuses to delete the database."),
  encryptionCipher,
  engine: engine.describe("The engine that runs the database, if the platform shows it."),
  parent,
  archived: z.boolean().optional().describe("Whether its group is archived."),
});

export const getDatabase = platformFunction({
  name: "getDatabase",
  reads: ["retrieveDatabase", "retrieveDatabaseById"],
  description: "One database, by name or DbId. Deleted databases are not found: see `getDeletedDatabases`.",
  args: oneDatabase,
  result: LiveDatabase,
  validate: whichDatabase,

  async read(wanted, context) {
    return liveDatabaseResult(await requestedDatabase(wanted, context), context);
  },
});

export const getDatabases = platformFunction({
  name: "getDatabases",
  reads: ["listDatabases"],
  description: "The databases of the organization, without deleted ones: see `getDeletedDatabases`.",
  args: z.object({
    group: z.string().optional().describe("Return only databases of this group: its UUID or name."),
    parent: uuid.optional().describe("Return only databases that were copied from this database: its DbId."),
    limit,
  }),
  result: z.object({
    databases: z.array(LiveDatabase).describe("The databases, as the platform lists them."),
    truncated,
  }),

  async read({ group, parent, limit }, context) {
    const { api } = context.platform;
    const filter = parent === undefined ? {} : { parent: canonicalUuid(parent) };
    const list = (more: { readonly group?: string }) =>
      readPages(
        (page) => api.listDatabases({ query: { ...filter, ...more, ...page } }),
        ({ databases }) => databases,
        limit,
      );
    const { items, whole } =
      group === undefined ? await list({}) : await withGroup(group, context, ({ name }) => list({ group: name }));
    const databases: z.output<typeof LiveDatabase>[] = [];
    for (const record of items) databases.push(await liveDatabaseResult(record, context));
    return { databases, truncated: !whole };
  },
});

const DeletedDatabase = namedResultType("DeletedDatabase", "A deleted database that can still be restored.", {
  ...commonFields,
  ...recoveryTime,
  groupDeletedAt: database.state.shape.groupDeletedAt,
});

export const getDeletedDatabases = platformFunction({
  name: "getDeletedDatabases",
  reads: ["listDeletedDatabases"],
  description:
    "Databases that were deleted within the last five days, with the time left to restore each. To restore one, declare a `Database` with the option `import` and its `dbId`.",
  args: z.object({
    search: z.string().optional().describe("Return only databases whose name contains this text."),
    limit,
  }),
  result: z.object({
    databases: z.array(DeletedDatabase).describe("The databases, as the platform lists them."),
    truncated,
  }),

  async read({ search, limit }, context) {
    const { api } = context.platform;
    const { items, whole } = await readPages(
      (page) => api.listDeletedDatabases({ query: { deleted: "true", search, ...page } }),
      ({ databases }) => databases,
      limit,
    );
    const databases = items.map(
      (record) =>
        ({ ...databaseNames.fromWire(record), ...recoveryTimeOf(record.deleted_at, context) }) as z.output<
          typeof DeletedDatabase
        >,
    );
    return { databases, truncated: !whole };
  },
});

const settings = databaseConfiguration.state
  .omit({ database: true, groupId: true, organizationId: true })
  .required().shape;

export const getDatabaseConfiguration = platformFunction({
  name: "getDatabaseConfiguration",
  reads: ["retrieveDatabase", "retrieveDatabaseById", "retrieveDatabaseConfiguration"],
  description: "The configuration of one database: every setting, whether a program manages it or not.",
  args: oneDatabase,
  result: z.object({ dbId: commonFields.dbId, name: commonFields.name, ...settings }),
  validate: whichDatabase,

  async read(wanted, context) {
    const { api } = context.platform;
    const { DbId, Name } = await requestedDatabase(wanted, context);
    const record = await api.retrieveDatabaseConfiguration({ databaseName: Name });
    return { dbId: DbId, name: Name, ...UNCONFIGURED, ...configurationNames.fromWire(record) };
  },
});

const DatabaseInstance = namedResultType("DatabaseInstance", "A database in one location.", {
  uuid: z.string().describe("UUID of the instance."),
  location: z.string().describe("Code of its location."),
  type: z.string().describe("`primary` or `replica`."),
  hostname: z.string().describe("DNS name of the instance, without a scheme."),
});

export const getInstances = platformFunction({
  name: "getInstances",
  reads: ["retrieveDatabase", "retrieveDatabaseById", "listInstances"],
  description: "The instances of one database, one for each of its locations.",
  args: oneDatabase,
  result: z.object({
    dbId: commonFields.dbId,
    name: commonFields.name,
    instances: z.array(DatabaseInstance).describe("The instances, as the platform lists them."),
  }),
  validate: whichDatabase,

  async read(wanted, context) {
    const { api } = context.platform;
    const { DbId, Name } = await requestedDatabase(wanted, context);
    const { instances } = await api.listInstances({ databaseName: Name });
    return {
      dbId: DbId,
      name: Name,
      instances: instances.map(({ uuid, region, type, hostname }) => ({ uuid, location: region, type, hostname })),
    };
  },
});

async function liveDatabaseResult(
  record: z.output<ReturnType<typeof DatabaseSchema>>,
  { platform: { organization } }: PlatformContext,
): Promise<z.output<typeof LiveDatabase>> {
  const { archived, delete_protection: deleteProtection = false, encryption_cipher: encryptionCipher } = record;
  const group_id = record.group_id ?? (await organization.group(record.group))?.uuid;
  const own = databaseNames.fromWire({ ...record, group_id }) as z.output<z.ZodObject<typeof commonFields>>;
  return {
    ...own,
    ...databaseUrls(record.Hostname),
    archived,
    deleteProtection,
    encryptionCipher,
    engine: engineOf(record),
    parent: parentOf(record),
  };
}

export async function requestedDatabase(
  wanted: z.output<typeof oneDatabase>,
  context: PlatformContext,
): Promise<z.output<ReturnType<typeof DatabaseSchema>>> {
  const { name, dbId = "" } = wanted;
  const { api, organization } = context.platform;
  const answer =
    name === undefined
      ? api.retrieveDatabaseById({ databaseId: canonicalUuid(dbId) ?? dbId })
      : api.retrieveDatabase({ databaseName: name });
  const found = (await answer.catch(unlessAbsent))?.database;
  if (found) return found;
  // Looks up the organization first, so that a missing organization is not reported as a missing database. A 403 is
  // ignored, because a group-scoped token cannot read the organization.
  await organization.id().catch((failure) => {
    if (!isRefusal(failure, "forbidden")) throw failure;
  });
  const advice = adviceOnPlannedObject("Database", name ?? canonicalUuid(dbId) ?? dbId, context);
  const missing = name === undefined ? { id: dbId } : { name };
  throw new Refusal("absent", databaseNotFound({ ...missing, organization: organization.slug, advice }));
}
