import { unlessRefused } from "../../../kit/refusal";
import { type PreflightFailure, preflightFailure } from "../../../kit/resource/preflight";
import type { Listed } from "../../../kit/resource/results";
import { longestName, nameProblemIn } from "../../../platform/values/name";
import { canonicalUuid, isUuid } from "../../../platform/values/uuid";
import { requires } from "../../permissions/permissions";
import { definition, type PlatformContext } from "../../platform";
import { eachDeletedDatabase, restorableDatabases } from "../deleted-databases";
import { lostAt, restorableUntil } from "../deletion";
import { assertSeesGroup, groupMissing, groupReference, inGroup, isGroupLive, withGroup } from "../group/reference";
import { idSpelling, nameInsteadOfId, objectNotFound, restorableUnseen } from "../messages";
import { adviceForHidden, hiddenDeletion, recoveryUnavailable } from "../restoration";
import { encryptionTraits, wireEncryption } from "./encryption";
import { now, recently } from "./found";
import {
  databaseProtected,
  groupRestoredToo,
  RESTORED_WITH,
  SEED_CHANGE_ADVICE,
  SIZE_LIMIT_CHANGE_ADVICE,
} from "./messages";
import { everyDatabase, findNamed, groupIdOf, isFree, type LiveRecord, recentIds, retrieve } from "./records";
import { warnOfDataLeft } from "./replaced";
import { databaseDeletedBy, databaseRestoreFailure, describeDeletion } from "./restoring";
import { madeFrom, preparedSeed, wireSeed, withoutSecretsOf } from "./seed";
import { seeding } from "./seed-semantics";
import { size } from "./size";
import { args, type DatabaseArgs, type DatabaseState, parentOf, state, stateOf, urlsOf } from "./state";

export const database = definition<DatabaseArgs, DatabaseState>({
  type: "Database",
  description:
    "A database in a group. If the database is deleted outside of Pulumi, the next preview shows it and the next update restores it with its data, within five days. The option `import` with the DbId of any deleted database restores that database.",
  importing: {
    name: "orders",
    id: "<DbId>",
    description:
      "The id is the DbId of the database. `getDatabases` and `dbplatform-adopt` list the DbIds of live databases, `getDeletedDatabases` those of deleted ones. Importing a deleted database restores it with its data.",
  },
  permissions: requires({
    read: ["listDatabases"],
    create: ["createDatabase", { operation: "uploadDump", has: "seed.dumpFile" }],
    delete: ["deleteDatabaseById"],
    restore: ["restoreDatabase"],
  }),
  args,
  state,
  owned: inGroup,
  traits: {
    name: {
      requiresReplace: true,
      replacementWarning: warnOfDataLeft("name"),
      changesOutputs: ["hostname", "url", "httpUrl"],
      semantics: { validate: nameProblemIn },
    },
    group: { requiresReplace: true, replacementWarning: warnOfDataLeft("group"), semantics: groupReference },
    seed: { createOnly: SEED_CHANGE_ADVICE, semantics: seeding },
    sizeLimit: {
      createOnly: SIZE_LIMIT_CHANGE_ADVICE,
      semantics: size,
    },
    encryption: encryptionTraits,
  },

  async identify(id, context) {
    if (isUuid(id)) return undefined;
    const uuid = canonicalUuid(id);
    if (uuid) return idSpelling("DbId", uuid);
    const named = await findNamed(id, "platform", context);
    const deleted = await restorableDatabases(id, context);
    const found = { name: id, live: named?.DbId, deleted, pinnedTo: context.platform.credential.groupId };
    return nameInsteadOfId({ kind: "database", idName: "DbId", ...found });
  },

  async read(id, known, from, context) {
    const { live, deleted, hidden } =
      (from === "snapshot" && (await recently(id, context))) || (await now(id, context));
    // Falls back to the recorded cipher, because the API's documentation lists no cipher in database records. A
    // database's cipher never changes.
    const encryptionCipher = live?.encryption_cipher ?? known?.encryptionCipher;
    if (live) return { status: "live", state: { ...(await stateOf(live, context)), encryptionCipher } };
    if (deleted) {
      const state = {
        ...(await stateOf(deleted, context)),
        parent: known?.parent,
        encryptionCipher,
        restorableUntil: restorableUntil(deleted.deleted_at),
      };
      // Without a recorded state, the database is being imported or looked up. Its deletion is then not drift, so the
      // message does not say who deleted the database.
      const by = known && (await databaseDeletedBy(deleted, context));
      return { status: "deleted", state, message: await describeDeletion(deleted, by, context) };
    }
    assertSeesGroup(known?.groupId, context);
    const unseen = hidden && known && hiddenDeletion(known, context);
    if (unseen)
      return {
        status: "deleted",
        state: { ...known, ...unseen },
        message: restorableUnseen("database", known.name, id, hidden.reason),
      };
    return {
      status: "absent",
      ...(hidden ? { advice: adviceForHidden(hidden) } : {}),
      isHidden: hidden?.isOfCredential === true || context.platform.credential.groupId !== undefined,
      message: objectNotFound({
        kind: "database",
        id,
        organization: context.platform.organization.slug,
        isKnown: known !== undefined,
        hiddenBecause: hidden?.reason,
        pinnedTo: context.platform.credential.groupId,
      }),
    };
  },

  async *list({ deleted }, context) {
    if (deleted)
      for await (const { DbId, Name, group_id, deleted_at } of eachDeletedDatabase(context))
        yield { id: DbId, name: Name, parent: group_id, deletedAt: deleted_at };
    else for await (const record of everyDatabase(context)) yield listed(record, await groupIdOf(record, context));
  },

  named: {
    longest: longestName,
    recentIds,
    async findByName({ name }, context, from) {
      if (from !== undefined && from !== "platform" && (await isFree(name, context, from))) return undefined;
      const found = await findNamed(name, "platform", context);
      return found && { id: found.DbId, state: await stateOf(found, context) };
    },
    madeWith: ({ seed, encryption }, found) => madeFrom(seed, found) && encryption?.cipher === found.encryptionCipher,
  },

  prepare: async (wanted, context) =>
    wanted.seed ? { ...wanted, seed: await preparedSeed(wanted.seed, context) } : wanted,

  async create({ name, group: wanted, seed, sizeLimit, encryption }, context) {
    const { api, organization } = context.platform;
    // Looks up the organization first, so that nothing can fail after the database is created.
    const organizationId = await organization.id();
    return withGroup(wanted, context, async ({ uuid, name: groupName, locations, primary }) => {
      const content = { seed: seed && wireSeed(seed), remote_encryption: encryption && wireEncryption(encryption) };
      const body = { name, group: groupName, size_limit: sizeLimit, ...content };
      const { database } = await api.createDatabase({ body }).catch(withoutSecretsOf({ seed, encryption }));
      const group = { group: uuid, groupId: uuid, groupName, regions: locations, primaryRegion: primary };
      const own = {
        name: database.Name,
        dbId: database.DbId,
        hostname: database.Hostname,
        ...urlsOf(database.Hostname),
        encryptionCipher: encryption?.cipher,
      };
      // Reads the new database, because the response to the create request lacks the parent. An error is ignored,
      // because the database already exists.
      const record = seed?.database && (await retrieve(database.DbId, context).catch(unlessRefused));
      return { id: database.DbId, state: { ...own, ...group, organizationId, ...parentOf(record || {}) } };
    });
  },

  restorable: {
    brings: RESTORED_WITH,
    renames: true,
    deletedNamed: restorableDatabases,
    lostNamed: (name, context) => lostAt("database", name, context),
    unavailable: recoveryUnavailable,
    preflight: (id, deleted, { name }, context, from) => {
      const holderOf = async (wanted: string) => (await findNamed(wanted, from, context))?.DbId;
      return databaseRestoreFailure(id, deleted, { name, from, holderOf }, context);
    },
    async restore(id, deleted, { name, encryption }, context) {
      const { api } = context.platform;
      const { database } = await api.restoreDatabase({
        databaseId: id,
        ...(name === deleted.name ? {} : { body: { name } }),
      });
      // Removes the deletion times, because the response may still contain them (§4.1) although the database is live
      // again.
      const live = await stateOf({ ...database, deleted_at: undefined, group_deleted_at: undefined }, context);
      // The record of a deleted database lacks the cipher, which is needed to compare the program with the database.
      const isMissing = encryption && deleted.encryptionCipher === undefined;
      const record = isMissing ? await retrieve(id, context).catch(unlessRefused) : undefined;
      return {
        ...live,
        parent: deleted.parent,
        encryptionCipher: deleted.encryptionCipher ?? record?.encryption_cipher,
      };
    },

    alsoRestores: ({ groupDeletedAt, groupId, groupName }) =>
      groupDeletedAt === undefined
        ? undefined
        : {
            type: "Group",
            id: groupId,
            name: groupName,
            isLive: (context) => isGroupLive(groupId, context),
            sentence: (isInStack) => groupRestoredToo(groupName, groupId, isInStack),
          },
  },

  async delete(id, _observed, { platform: { api } }) {
    await api.deleteDatabaseById({ databaseId: id });
  },

  preflight: {
    create: async ({ group }, context) => (group === undefined ? undefined : groupMissing(group, context)),
    delete: (id, { name }, context) => deleteProtected(id, name, context),
  },
});

async function deleteProtected(
  id: string,
  name: string,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const record = await retrieve(id, context);
  return preflightFailure(record?.delete_protection ? databaseProtected(name, id) : undefined);
}

const listed = ({ DbId, Name }: LiveRecord, parent: string | undefined): Listed => ({
  id: DbId,
  name: Name,
  parent,
});
