import { isRefusal, messageOf, unlessRefused } from "../../../kit/refusal";
import { StatementRefused } from "../../client/sql";
import { inParallel } from "../../in-parallel";
import type { PlatformContext } from "../../platform";
import { type LiveDatabaseRecord, retrieveLiveDatabase } from "../database/live-databases";
import { connector, type SqlAccess } from "../database/sql-access";
import { findTemporaryCopy, isTemporaryCopy } from "../database/temporary-copies";
import { databasesInGroup } from "../group/live-groups";
import { withGroup } from "../group/reference";
import { type Ledger, readLedger } from "./ledger";

/** The databases to migrate, what opens them, and the table that lists what they have. */
export interface MigrationTarget extends SqlAccess {
  readonly table: string;
}

/** The applied migrations of a database, or the reason why they could not be read. */
export type LedgerReading =
  | { readonly database: LiveDatabaseRecord; readonly ledger: Ledger }
  | { readonly database: LiveDatabaseRecord; readonly ledger?: undefined; readonly unread: string };

/** How many databases are read at once. */
const READ_AT_ONCE = 16;

/**
 * Returns the live databases, by name: without copies on which migrations were rehearsed, and without those that
 * `keepData` is about to delete.
 */
async function databasesOf({ database, group }: SqlAccess, context: PlatformContext): Promise<LiveDatabaseRecord[]> {
  if (database !== undefined) {
    const live = await retrieveLiveDatabase(database, context);
    return live ? [live] : [];
  }
  const all = await withGroup(String(group), context, ({ name }) => databasesInGroup(name, context));
  const stays = await inParallel(all, READ_AT_ONCE, (one) => isToStay(one, context));
  return all.filter((_, index) => stays[index]).toSorted((one, other) => (one.Name < other.Name ? -1 : 1));
}

async function isToStay(one: LiveDatabaseRecord, context: PlatformContext): Promise<boolean> {
  if (isTemporaryCopy("migrations", one, context) || isTemporaryCopy("keepData", one, context)) return false;
  return one.block_writes !== true || (await findTemporaryCopy("keepData", one.DbId, context)) === undefined;
}

/** Returns the applied migrations of each database. A run reads again only what has failed. */
export const readLedgers = async (target: MigrationTarget, context: PlatformContext): Promise<LedgerReading[]> =>
  readLedgersOf(await databasesOf(target, context), target, context);

/** Returns the applied migrations of these databases. Throws only if the run is cancelled. */
export async function readLedgersOf(
  databases: readonly LiveDatabaseRecord[],
  target: MigrationTarget,
  context: PlatformContext,
): Promise<LedgerReading[]> {
  const known = await knownLedgers(target, context);
  const connect = connector(target, "read-only", context);
  return inParallel(databases, READ_AT_ONCE, async (database) => {
    const found = known.get(database.DbId);
    if (found) return { database, ledger: found };
    try {
      const ledger = await readLedger(await connect(database), target.table);
      known.set(database.DbId, ledger);
      return { database, ledger };
    } catch (failure) {
      if (isRefusal(failure, "cancelled")) throw failure;
      if (!(failure instanceof StatementRefused)) unlessRefused(failure);
      return { database, unread: messageOf(failure) };
    }
  });
}

/** The ledgers that this run has read or written, by DbId. */
export const knownLedgers = (
  { table }: Pick<MigrationTarget, "table">,
  { run }: PlatformContext,
): Promise<Map<string, Ledger>> => run.once(`ledgers ${table}`, async () => new Map<string, Ledger>());
