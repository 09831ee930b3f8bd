import * as z from "zod";
import { type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { isRefusal, Refusal, unlessAbsent } from "../../../kit/refusal";
import { declaredOperationsOf, permissionsFor, type Write } from "../../permissions/permissions";
import { field, type PlatformContext, resource } from "../../platform";
import { database } from "../database/database";
import { databaseId, dbIdOf, referencedDatabase, referencedDatabaseFailure } from "../database/reference";
import { group } from "../group/group";
import { groupIdOrName, referencedGroupFailure, sameGroup, withGroup } from "../group/reference";
import { type ApplyOptions, applyMigrations, PARALLEL } from "./apply";
import { type LedgerReading, readLedgers, readLedgersOf } from "./databases";
import { FolderProblem, hashesOf, readMigrations } from "./folder";
import { ledgerTableOf } from "./ledger";
import {
  FOLDER_CHANGED,
  MIGRATIONS_UNIMPORTABLE,
  migrationsApplied,
  migrationsFailed,
  migrationsStay,
  OWNER,
  tableFixed,
} from "./messages";
import { type Migrated, MOST_NAMES, readMigrated, recordedOf, targetOf } from "./migrated";
import { describePending, informPending, migrationFailure, named } from "./pending";
import { type Hashes, isSameMigrations } from "./plan";

const MOST_PARALLEL = 64;

const WRITES: readonly Write[] = [
  { operation: "createDatabaseTokenById", has: "database" },
  { operation: "createGroupTokenById", has: "group" },
  { operation: "createDatabase", has: "rehearse" },
  { operation: "updateDatabaseConfiguration", has: "rehearse" },
  { operation: "deleteDatabaseById", has: "rehearse" },
];

export const databaseMigrations = resource({
  type: "DatabaseMigrations",
  description:
    "Applies a folder of SQL migrations to a database, or to every database of a group, each file in one transaction. The applied ones are listed in a table of the database: Drizzle's own if `drizzle-kit generate` has written the folder, so that `drizzle-orm` and this resource can take turns. A preview reads these tables and says what is pending. Deleting this resource changes nothing in the databases.",
  inputs: {
    database: field.replaces(z.string().optional(), {
      describe:
        "DbId (`database.dbId`) of the database to migrate. Give either `database` or `group`. Another database replaces this resource, which changes nothing in the former one.",
      ...databaseId,
    }),
    group: field.replaces(z.string().optional(), {
      describe:
        "The group whose databases are migrated, also those that no program declares: its UUID (`group.id`) or its name. Give either `database` or `group`. Another group replaces this resource, which changes nothing in the former one.",
      ...groupIdOrName,
    }),
    folder: field.local(z.string(), {
      describe:
        "Path of the folder with the migrations, relative to the folder in which Pulumi runs the program: what `drizzle-kit generate` writes, or files that begin with a number and end with `.sql`.",
      valid: folderProblem,
    }),
    outOfOrder: field.local(z.boolean().optional(), {
      describe:
        "Whether to apply a migration that sorts before an applied one, for example from a branch that was merged late. Default: false, which refuses it.",
      default: false,
    }),
    parallel: field.local(z.int().min(1).max(MOST_PARALLEL).optional(), {
      describe: `How many databases of a group are migrated at once, at most ${MOST_PARALLEL}. Default: ${PARALLEL}.`,
      default: PARALLEL,
    }),
    canary: field.local(z.string().optional(), {
      describe:
        "Name or DbId of the database of the group that is migrated first. If it fails, no other is migrated. Default: the first by name that lacks a migration.",
    }),
    onFailure: field.local(
      z
        .enum(["stop", "continue"])
        .meta({
          vocabulary: {
            name: "MigrationFailure",
            description: "What happens to the other databases of a group after one has failed.",
            values: {
              stop: "No further database is migrated.",
              continue: "The other databases are migrated, unless the first one fails and none has all migrations yet.",
            },
          },
        })
        .optional(),
      {
        describe:
          "What happens to the other databases of a group after one has failed: `stop` or `continue`. The update fails in both cases, and the next one goes on. Default: `stop`.",
        default: "stop",
      },
    ),
    rehearse: field.local(z.boolean().optional(), {
      describe:
        "Whether to apply the pending migrations first to a copy of the database (of a group: of the database that is migrated first), which is then deleted. If that fails, nothing is changed. Default: false.",
      default: false,
    }),
    encryptionKey: field.local(z.string().optional(), {
      describe:
        "Key of the databases, if they are encrypted (`encryption.key` of the Database), in Base64. All encrypted databases of a group need the same one.",
      secret: () => true,
    }),
    migrations: field.derived(z.record(z.string(), z.string()), {
      describe:
        "The SHA-256 of each migration, by its name: in a preview what the folder has, afterwards what every database has.",
      from: "folder",
      derive: (folder: string) => hashesOf(readMigrations(folder)),
      same: (wanted, observed) => isSameMigrations(wanted, observed ?? {}),
    }),
    table: field.derived(z.string(), {
      describe:
        "Name of the table that lists the applied migrations: `__drizzle_migrations` for a folder of drizzle-kit, else `__dbplatform_migrations`.",
      from: "folder",
      derive: (folder: string) => ledgerTableOf(readMigrations(folder)),
    }),
  },
  outputs: {
    databaseCount: field.output(z.int(), { describe: "Number of databases." }),
    behindCount: field.output(z.int(), {
      describe: "Number of databases that lack a migration which another one has.",
    }),
    behind: field.output(z.array(z.string()), {
      describe: `Names of the databases that lack a migration which another one has; at most ${MOST_NAMES} of them.`,
    }),
    restorePoint: field.kept(z.iso.datetime().optional(), {
      describe:
        "Time before the newest migrations were first applied (RFC 3339). `seed: { database, timestamp }` of a Database copies a database as it was then.",
    }),
    groupId: field.output(z.uuid(), { describe: "UUID of the group, or of the group that holds the database." }),
    groupName: field.output(z.string().optional(), { describe: "Name of the group, if a group is migrated." }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization." }),
  },
  permissions: permissionsFor({
    read: [
      ...new Set([...declaredOperationsOf(group).read, ...declaredOperationsOf(database).read]),
      "retrieveDatabaseConfiguration",
    ],
    create: WRITES,
    update: WRITES,
  }),
  unimportable: MIGRATIONS_UNIMPORTABLE,
  same: { group: sameGroup },
  moves: { migrations: ["behindCount", "behind", "restorePoint"] },

  valid: (wanted) =>
    (wanted.database === undefined) === (wanted.group === undefined)
      ? { property: "database", reason: OWNER }
      : undefined,

  read: (id, context) => readMigrated(id, context),

  async create(wanted, context) {
    const organizationId = await context.platform.organization.id();
    const none = { migrations: {}, restorePoint: undefined, table: wanted.table, organizationId };
    const owner =
      wanted.group === undefined
        ? { ...(await referencedDatabase(String(wanted.database), context)), group: undefined, groupName: undefined }
        : await withGroup(wanted.group, context, async ({ uuid, name }) => ({
            database: undefined,
            group: uuid,
            groupId: uuid,
            groupName: name,
          }));
    const target = { ...owner, table: wanted.table, encryptionKey: wanted.encryptionKey };
    const readings = await readLedgers(target, context);
    return {
      id: owner.database ?? owner.groupId,
      state: { ...none, ...owner, ...recordedOf(readings, wanted.migrations) },
    };
  },

  async update(_id, changes, { now, inputs, done, ...context }) {
    if (changes.table !== undefined)
      throw new Refusal("conflict", { answer: tableFixed({ table: now.table, wanted: changes.table }) });
    const folder = readMigrations(String(inputs.folder));
    const wanted = changes.migrations ?? {};
    if (!isSameMigrations(hashesOf(folder), wanted)) throw new Refusal("conflict", FOLDER_CHANGED);
    const target = targetOf(now, inputs);
    const readings = await readLedgers(target, context);
    if (target.database !== undefined && readings.length === 0) await referencedDatabase(target.database, context);
    const failure = migrationFailure(readings, folder, inputs, context);
    if (failure !== undefined) throw new Refusal("conflict", { answer: failure });
    const begun = new Date(context.platform.clock.now()).toISOString();
    const isContinued = isOnlyContinuing(wanted, readings);
    const outcome = await applyMigrations(folder, readings, { target, options: inputs as ApplyOptions }, context);
    const isNewPoint = outcome.hasApplied && !(isContinued && now.restorePoint);
    const restorePoint = isNewPoint ? begun : now.restorePoint;
    // Neither a list that fails nor Ctrl-C must hide what was applied.
    const databases = outcome.readings.map(({ database }) => database);
    const read = await readLedgersOf(databases, target, context).catch((failure: unknown) => {
      if (!isRefusal(failure, "cancelled")) throw failure;
      return outcome.readings;
    });
    const after = { ...recordedOf(read, wanted), restorePoint };
    if (outcome.failed.length > 0 || outcome.isCancelled) {
      done(after);
      throw new Refusal("conflict", migrationsFailed(outcome));
    }
    if (outcome.migrated > 0)
      context.inform(migrationsApplied({ migrated: outcome.migrated, databases: outcome.readings.map(named) }));
    return after;
  },

  async delete(id, { now, inform, run }) {
    const { type } = now.group === undefined ? database : group;
    if (run.leavesStack(type, id) || run.replaces(type, id)) return;
    inform(migrationsStay({ id, kind: type.toLowerCase() }));
  },

  checks: {
    async create(wanted, context) {
      const missing = await ownerFailure(wanted, context);
      if (missing) return missing;
      const readings = await readExisting(wanted, context);
      const failure =
        wanted.folder === undefined
          ? undefined
          : migrationFailure(readings, readMigrations(wanted.folder), wanted, context);
      if (failure === undefined) await informPending(readings, wanted, context);
      return preflightFailure(failure);
    },
    async update(_id, changes, { now, inputs, ...context }) {
      if (changes.table !== undefined) return preflightFailure(tableFixed({ table: now.table, wanted: changes.table }));
      if (inputs.folder === undefined) return undefined;
      const target = targetOf(now, inputs);
      // The update may restore the group first.
      const readings = await readLedgers(target, context).catch(unlessAbsent);
      const missing = readings ? undefined : await ownerFailure(target, context);
      return (
        missing ?? preflightFailure(migrationFailure(readings ?? [], readMigrations(inputs.folder), inputs, context))
      );
    },
  },

  async consequence(_id, _changes, { now, inputs, ...context }) {
    if (inputs.folder === undefined) return "";
    const folder = readMigrations(inputs.folder);
    const readings = await readLedgers(targetOf(now, inputs), context).catch(unlessAbsent);
    return describePending(folder, readings ?? [], inputs as ApplyOptions).join(" ");
  },
});

function folderProblem(folder: string): string | undefined {
  try {
    readMigrations(folder);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof FolderProblem)) throw problem;
    return problem.message;
  }
}

/** Returns whether some database has each migration, as after an update that has failed in others. */
const isOnlyContinuing = (wanted: Hashes, readings: readonly LedgerReading[]): boolean =>
  Object.values(wanted).every((hash) => readings.some(({ ledger }) => ledger?.rows.some((row) => row.hash === hash)));

async function ownerFailure(
  wanted: { readonly database?: string | undefined; readonly group?: string | undefined },
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (wanted.database !== undefined) return referencedDatabaseFailure(wanted.database, context);
  return wanted.group === undefined ? undefined : referencedGroupFailure(wanted.group, context);
}

/** Reads the databases of a resource that does not exist yet, as far as they exist. */
async function readExisting(
  { database, group, folder, encryptionKey }: Partial<Migrated>,
  context: PlatformContext,
): Promise<readonly LedgerReading[]> {
  if (folder === undefined || (database === undefined && group === undefined)) return [];
  const table = ledgerTableOf(readMigrations(folder));
  const known =
    group === undefined
      ? { database: dbIdOf(String(database)), group: undefined }
      : await withGroup(group, context, async ({ uuid }) => ({ group: uuid })).catch(unlessAbsent);
  return known ? readLedgers({ ...known, table, encryptionKey }, context) : [];
}
