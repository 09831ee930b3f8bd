import type { AnyResource } from "../../../kit/definition";
import type { ReadContext } from "../../../kit/resource";
import { Absent, Live, type ReadResult } from "../../../kit/results";
import type { Platform } from "../../platform";
import { database } from "../database/database";
import { dbIdOf } from "../database/reference";
import { group } from "../group/group";
import { readThroughOwner } from "../owner";
import { type LedgerReading, type MigrationTarget, readLedgers } from "./databases";
import { FolderProblem, hashesOf, readMigrations } from "./folder";
import { NO_LEDGER } from "./ledger";
import { MIGRATIONS_UNIMPORTABLE, unreadLedgers } from "./messages";
import { named } from "./pending";
import { compareApplied, type Hashes } from "./plan";

/** How many names of databases the state holds. */
export const MOST_NAMES = 100;

/** The properties in the state from which a read begins. */
export interface Migrated {
  readonly database: string | undefined;
  readonly group: string | undefined;
  readonly groupId: string;
  readonly groupName: string | undefined;
  readonly folder?: string | undefined;
  readonly migrations: Record<string, string>;
  readonly table: string;
  readonly encryptionKey?: string | undefined;
  readonly databaseCount: number;
  readonly behindCount: number;
  readonly behind: string[];
  readonly organizationId: string;
}

interface MigratedOwner {
  readonly kind: Pick<AnyResource, "type" | "named">;
  readonly id: string;
  readonly name?: string | undefined;
  readonly reading: ReadResult<{ readonly name: string }>;
}

/** The state has both as the program spells them, but for the group also its UUID. */
export const targetOf = (
  { database, group, groupId, table }: Pick<Migrated, "database" | "group" | "groupId" | "table">,
  { encryptionKey }: { readonly encryptionKey?: string | undefined },
): MigrationTarget => ({
  database: database === undefined ? undefined : dbIdOf(database),
  group: group === undefined ? undefined : groupId,
  table,
  encryptionKey,
});

export async function readMigrated<Known extends Migrated>(id: string, context: ReadContext<Platform, Known>) {
  const { known, maxAge } = context;
  if (known === undefined) return new Absent(MIGRATIONS_UNIMPORTABLE);
  const { groupId, organizationId } = known;
  const owner: MigratedOwner =
    known.group === undefined
      ? {
          kind: database,
          id,
          reading: await database.read(id, context, { known: { groupId, organizationId }, maxAge }),
        }
      : {
          kind: group,
          id,
          name: known.groupName,
          reading: await group.read(id, context, { known: { name: known.groupName }, maxAge }),
        };
  const { reading } = owner;
  if (reading.status !== "live") return readThroughOwner(owner, () => known, context);
  const groupName = known.group === undefined ? undefined : reading.state.name;
  const readings = await readLedgers(targetOf(known, known), context);
  const unread = readings.filter((reading) => reading.ledger === undefined);
  const message =
    unread[0] &&
    unreadLedgers({ databases: unread.map(named), cause: unread[0].unread, isEach: unread.length === readings.length });
  // Only a group may be empty.
  const isEmpty = readings.length === 0 && known.group !== undefined;
  const read =
    unread.length === readings.length && !isEmpty
      ? {}
      : withUnread(shownBy(readings, hashesOfRecorded(known.folder), known.migrations), unread, known);
  return new Live({ ...known, ...read, groupName }, { message });
}

/**
 * Returns the properties that an update records. A database that could not be read counts as one without migrations, so
 * that the next update tries it again.
 */
export const recordedOf = (readings: readonly LedgerReading[], wanted: Hashes) =>
  shownBy(
    readings.map((reading) => (reading.ledger ? reading : { database: reading.database, ledger: NO_LEDGER })),
    wanted,
    {},
  );

/** Returns the properties that the tables of the databases show. */
function shownBy(readings: readonly LedgerReading[], folder: Hashes | undefined, known: Hashes) {
  const read = readings.flatMap(({ database: { Name: name }, ledger }) => (ledger ? [{ name, ledger }] : []));
  const { migrations, behind } = compareApplied(read, folder, known);
  return {
    migrations,
    databaseCount: readings.length,
    behindCount: behind.length,
    behind: behind.slice(0, MOST_NAMES),
  };
}

/** A database that could not be read has what the state says of all, or nothing if it may be new. */
function withUnread(read: ReturnType<typeof shownBy>, unread: readonly LedgerReading[], known: Migrated) {
  if (unread.length === 0) return read;
  const isOneNew = read.databaseCount > known.databaseCount;
  const isKept = ([name, hash]: [string, string]) => !isOneNew && known.migrations[name] === hash;
  const names = unread.map(({ database }) => database.Name).filter((name) => isOneNew || known.behind.includes(name));
  return {
    ...read,
    migrations: Object.fromEntries(Object.entries(read.migrations).filter(isKept)),
    behindCount: read.behindCount + names.length,
    behind: [...read.behind, ...names].slice(0, MOST_NAMES),
  };
}

/** The state names the folder, but a refresh may run where there is none. */
function hashesOfRecorded(folder: string | undefined): Hashes | undefined {
  try {
    return folder === undefined ? undefined : hashesOf(readMigrations(folder));
  } catch (problem) {
    if (!(problem instanceof FolderProblem)) throw problem;
    return undefined;
  }
}
