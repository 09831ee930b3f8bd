import * as z from "zod";
import { isSameInstant } from "../../../kit/instant";
import { firstPreflightFailure } from "../../../kit/preflight";
import { unlessRefused } from "../../../kit/refusal";
import { nameLengthLimit, nameProblemIn } from "../../../platform/values/name";
import { permissionsFor } from "../../permissions/permissions";
import { field, type PlatformContext, resource } from "../../platform";
import { eachDeletedDatabase, restorableDatabases } from "../deleted-databases";
import { recentlyDeletedGroup } from "../group/deleted-group";
import { isGroupLive } from "../group/live-groups";
import { groupIdOrName, insideGroup, referencedGroupFailure, sameGroup, withGroup } from "../group/reference";
import { type ImportableKind, importIdProblem } from "../importable";
import { OBJECT_PROTECTED, unprotectDatabase } from "../messages";
import { isConfigurationDeclared } from "../protection";
import { deletion, recoveryUnavailable, unrestorableDeletionTime, wasRestored } from "../restoration";
import { sizeOptions } from "./configuration-fields";
import { Encryption, encryptionLost, encryptionOptions, sameEncryption, wireEncryption } from "./encryption";
import { DatabaseEngine, engineOptions } from "./engine";
import {
  canContinueCopy,
  createWithDataOf,
  deleteOriginal,
  describeEndOfCopying,
  describeLeftCopies,
  endCopying,
  keptDataFailure,
} from "./kept-data";
import {
  eachLiveDatabase,
  isDatabaseNameFree,
  liveDatabasesById,
  retrieveLiveDatabase,
  retrieveLiveDatabaseNamed,
} from "./live-databases";
import { groupRestoredToo, REPORTED_ON_AWS, SEED_CHANGE_ADVICE, SIZE_LIMIT_CHANGE_ADVICE, WITH_DATA } from "./messages";
import { readDatabase } from "./reading";
import { databaseRestoreFailure, leavesDataBehind } from "./recovery";
import { DatabaseSeed, isMadeFromSeed, prepareSeed, sameSeed, seedOptions, wireSeed, withoutSecretsOf } from "./seed";
import { databaseStateOf, engineOf, groupIdOf, noteDatabaseGroupId, Parent } from "./state";

const importable: ImportableKind = {
  kind: "database",
  idName: "DbId",
  live: async (name, context) => (await retrieveLiveDatabaseNamed(name, context))?.DbId,
  deleted: restorableDatabases,
};

export const database = resource({
  type: "Database",
  description:
    "A database in a group. If the database is deleted outside of Pulumi, the next preview shows it and the next update restores it with its data, within five days. The option `import` with the DbId of any deleted database restores that database.",
  inputs: {
    name: field.replaces(z.string(), {
      describe:
        "Name of the database: lowercase letters, digits and hyphens, unique in the organization. Default: generated from the name of the resource. Another name replaces the database by a new one without its data. With `keepData`, by a copy.",
      valid: nameProblemIn,
    }),
    group: field.replaces(z.string(), {
      describe:
        "The group that holds the database: its UUID (`group.id`) or its name. Another group replaces the database by a new one without its data. With `keepData`, by a copy.",
      ...groupIdOrName,
    }),
    seed: field.createOnly(DatabaseSeed.optional(), {
      describe:
        "Initial content of the database: a copy of another database (`database`, as of `timestamp`) or a dump (`dumpFile`, `dumpUrl`). Used only when the database is created or replaced; changing it later has no effect, and a warning says so. An imported or restored database keeps its own data.",
      instead: SEED_CHANGE_ADVICE,
      isContent: true,
      ...seedOptions,
    }),
    sizeLimit: field.createOnly(z.string().optional(), {
      describe: `Maximum size with which the database is created: bytes, or a number with a unit ("256mb", "1gb"). Used only at creation; later changes belong in \`sizeLimit\` of a DatabaseConfiguration. ${REPORTED_ON_AWS}`,
      instead: SIZE_LIMIT_CHANGE_ADVICE,
      ...sizeOptions,
    }),
    encryption: field.writeOnly(Encryption.optional(), {
      describe:
        "Encrypts the data with a key of your own. The platform does not keep the key, so clients send it with every connection; without it nobody can read the data. Another key or cipher replaces the database by a new one without its data. Removing it from the program changes nothing.",
      ...encryptionOptions,
    }),
    keepData: field.local(z.boolean().optional(), {
      describe:
        "Whether another `name` or `group` brings the data along: the new database begins as a copy of the old one, and writes to the old one are blocked until it is deleted at the end of the update. Default: false.",
      default: false,
    }),
    engine: field.replaces(DatabaseEngine.optional(), {
      describe:
        "The engine that runs the database: `libsql` or `tursodb`. Default: the platform's choice. A copy (`seed`) has the engine of its source. Another engine replaces the database by a new one without its data.",
      describeOutput: "The engine that runs the database, if the program sets it. `getDatabase` shows it in any case.",
      isRecordedIfSet: true,
      ...engineOptions,
    }),
  },
  outputs: {
    dbId: field.output(z.uuid(), {
      describe: "UUID of the database. It stays the same through deletion and restoration.",
    }),
    hostname: field.output(z.string(), { describe: "DNS name for client and HTTP connections, without a scheme." }),
    url: field.output(z.string(), { describe: "Address for libSQL clients: `libsql://` and the hostname." }),
    httpUrl: field.output(z.string(), { describe: "Address for SQL over HTTP: `https://` and the hostname." }),
    groupId: field.output(z.uuid(), { describe: "UUID of the group that holds the database." }),
    groupName: field.output(z.string(), { describe: "Name of the group that holds the database." }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization that owns the database." }),
    regions: field.output(z.array(z.string()), { describe: "Codes of the locations of the database." }),
    primaryRegion: field.output(z.string(), { describe: "Code of the primary location." }),
    parent: field.output(Parent.optional(), {
      describe: "The database that this one was copied from, if it was copied.",
    }),
    // The API's documentation lists no cipher in database records. A database's cipher never changes.
    encryptionCipher: field.kept(z.string().optional(), {
      describe: "Cipher with which the data is encrypted with a key of its own, if it is and if the platform shows it.",
    }),
    beingCopied: field.upheld(z.boolean().optional(), {
      describe:
        "Present and true if an update that was to copy the database (`keepData`) was interrupted. Writes may then be blocked; the next update allows them again, or goes on.",
      value: false,
    }),
    groupDeletedAt: field.whileDeleted(z.iso.datetime(), {
      describe:
        "Time at which the group was deleted together with the database (RFC 3339). Restoring the database restores the group.",
    }),
  },
  moves: { name: ["hostname", "url", "httpUrl"] },
  same: { group: sameGroup, seed: sameSeed, encryption: sameEncryption },
  loses: {
    name: leavesDataBehind("name"),
    group: leavesDataBehind("group"),
    encryption: encryptionLost,
    engine: leavesDataBehind("engine"),
  },
  inside: insideGroup,
  permissions: permissionsFor({
    read: ["listDatabases"],
    create: [
      "createDatabase",
      { operation: "uploadDump", has: "seed.dumpFile" },
      { operation: "updateDatabaseConfiguration", has: "keepData", replaces: true },
    ],
    update: [
      { operation: "updateDatabaseConfiguration", sets: "beingCopied" },
      { operation: "deleteDatabaseById", sets: "beingCopied" },
    ],
    delete: ["deleteDatabaseById"],
    restore: ["restoreDatabase"],
  }),
  importing: {
    name: "orders",
    id: "<DbId>",
    description:
      "The id is the DbId of the database. `getDatabases` and `dbplatform adopt` list the DbIds of live databases, `getDeletedDatabases` those of deleted ones. Importing a deleted database restores it with its data.",
    problem: (id, context) => importIdProblem(id, importable, context),
  },

  read: readDatabase,

  async *list(context) {
    if (context.deleted)
      for await (const { DbId, Name, group_id, deleted_at } of eachDeletedDatabase(context))
        yield { id: DbId, name: Name, parent: group_id, deletedAt: deleted_at };
    else
      for await (const record of eachLiveDatabase(context))
        yield { id: record.DbId, name: record.Name, parent: await groupIdOf(record, context) };
  },

  named: {
    within: "organization",
    longest: nameLengthLimit,
    ids: liveDatabasesById,
    async find(name, context) {
      if (context.maxAge && (await isDatabaseNameFree(name, context, context.maxAge))) return undefined;
      const found = await retrieveLiveDatabaseNamed(name, context);
      return found && { id: found.DbId, state: await databaseStateOf(found, context) };
    },
    canContinueWith: async ({ id, state }, { keepData, group, encryption }, { replaced, ...context }) =>
      keepData === true &&
      replaced !== undefined &&
      !context.run.inStack("Database", id) &&
      sameGroup(group, undefined, state, context.run.names) &&
      canContinueCopy(replaced.id, id, { group: state.groupName, encryption }, context),
    madeWith: ({ seed, encryption }, found) =>
      isMadeFromSeed(seed, found) && encryption?.cipher === found.encryptionCipher,
  },

  prepare: async (wanted, context) =>
    wanted.seed && !(wanted.keepData && context.replaced)
      ? { ...wanted, seed: await prepareSeed(wanted.seed, context) }
      : wanted,

  async create(inputs, { replaced, ...context }) {
    const { name, group: wanted, seed, sizeLimit, encryption, engine } = inputs;
    const { api, organization } = context.platform;
    // Looks up the organization first, so that nothing can fail after the database is created.
    await organization.id();
    return withGroup(wanted, context, async ({ uuid, name: group, locations, primary }) => {
      if (replaced && inputs.keepData) {
        const record = await createWithDataOf(replaced, { name, group, encryption }, context);
        await noteDatabaseGroupId(record.DbId, uuid, context);
        return { id: record.DbId, state: await databaseStateOf(record, context) };
      }
      const content = { seed: seed && wireSeed(seed), remote_encryption: encryption && wireEncryption(encryption) };
      const use_tursodb = engine && engine === "tursodb";
      const body = { name, group, size_limit: sizeLimit, use_tursodb, ...content };
      const { database } = await api.createDatabase({ body }).catch(withoutSecretsOf({ seed, encryption }));
      // Reads the new database, because the response to the create request lacks the parent. An error is ignored,
      // because the database already exists.
      const parent = seed?.database
        ? (await retrieveLiveDatabase(database.DbId, context).catch(unlessRefused))?.parent
        : undefined;
      const place = { group, group_id: uuid, regions: locations, primaryRegion: primary };
      const record = { ...database, ...place, parent, encryption_cipher: encryption?.cipher, engine };
      await noteDatabaseGroupId(database.DbId, uuid, context);
      return { id: database.DbId, state: await databaseStateOf(record, context) };
    });
  },

  async update(id, _changes, context) {
    await endCopying(id, context);
    return { beingCopied: false };
  },

  consequence: (id, _changes, context) => describeEndOfCopying({ id, name: context.now.name }, context),

  async delete(id, { now, replacedBy, ...context }) {
    if (now.beingCopied && !replacedBy)
      for (const message of await describeLeftCopies(id, undefined, context)) context.warn(message);
    if (now.beingCopied || replacedBy?.keepData) return deleteOriginal(id, replacedBy !== undefined, context);
    await context.platform.api.deleteDatabaseById({ databaseId: id });
  },

  bringsContent: ({ keepData }) => keepData === true,
  isSuperseded: (old, now, { keepData }) =>
    old.state.beingCopied === true || (keepData === true && now?.parent?.dbId === old.id),

  checks: {
    create: (inputs, context) =>
      firstPreflightFailure(
        () => (inputs.group === undefined ? undefined : referencedGroupFailure(inputs.group, context)),
        () => keptDataFailure(inputs, context),
      ),
    async delete(id, context) {
      const record = await retrieveLiveDatabase(id, context);
      if (!record?.delete_protection) return undefined;
      const isDeclared = isConfigurationDeclared(id, context.run.leavesStack("Database", id), context);
      return { reason: OBJECT_PROTECTED, toAllow: unprotectDatabase({ isConfigurationDeclared: isDeclared }) };
    },
  },

  softDeleted: {
    ...deletion,
    brings: WITH_DATA,
    renames: true,
    named: restorableDatabases,
    lost: (name, context) => unrestorableDeletionTime("database", name, context),
    wasRestored: wasRestored("database"),
    unavailable: recoveryUnavailable,
    refused: (id, { name }, context) => databaseRestoreFailure(id, name, context),

    async restore(id, { name, encryption, engine }, context) {
      const { platform, now } = context;
      const { database } = await platform.api.restoreDatabase({
        databaseId: id,
        body: name === now.name ? undefined : { name },
      });
      await noteDatabaseGroupId(id, now.groupId, context);
      // The record of a deleted database lacks cipher and engine, which are needed to compare the program with it.
      const isMissing =
        (encryption && now.encryptionCipher === undefined) || (engine !== undefined && now.engine === undefined);
      const record = isMissing ? await retrieveLiveDatabase(id, context).catch(unlessRefused) : undefined;
      const encryptionCipher = now.encryptionCipher ?? record?.encryption_cipher;
      const { parent, beingCopied } = now;
      const kept = { parent, encryptionCipher, engine: now.engine ?? engineOf(record), beingCopied };
      return { ...(await databaseStateOf(database, context)), ...kept };
    },

    alsoRestores({ groupDeletedAt, groupId, groupName }) {
      if (groupDeletedAt === undefined) return undefined;
      const sentence = (isInStack: boolean) => groupRestoredToo({ groupName, groupId, isInStack });
      const isLive = (context: PlatformContext) => isGroupLive(groupId, context);
      const isStillDeletedWithIt = async (context: PlatformContext) =>
        isSameInstant((await recentlyDeletedGroup(groupId, context))?.deleted_at, groupDeletedAt);
      return {
        type: "Group",
        id: groupId,
        name: groupName,
        deletedAt: groupDeletedAt,
        isLive,
        isStillDeletedWithIt,
        sentence,
      };
    },
  },
});
