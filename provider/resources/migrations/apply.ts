import { isRefusal, messageOf, Refusal } from "../../../kit/refusal";
import type { SqlDatabase } from "../../client/sql";
import { inParallel } from "../../in-parallel";
import type { PlatformContext } from "../../platform";
import { type LiveDatabaseRecord, retrieveLiveDatabase } from "../database/live-databases";
import { connector } from "../database/sql-access";
import { knownLedgers, type LedgerReading, type MigrationTarget } from "./databases";
import type { MigrationFolder } from "./folder";
import type { Ledger } from "./ledger";
import { migrateDatabase } from "./migrate-database";
import { planMigrations } from "./plan";
import { rehearse } from "./rehearsal";

/** How the migrations are applied. */
export interface ApplyOptions {
  readonly outOfOrder?: boolean | undefined;
  readonly parallel?: number | undefined;
  /** Name or DbId of the database that is migrated first. */
  readonly canary?: string | undefined;
  readonly onFailure?: "stop" | "continue" | undefined;
  readonly rehearse?: boolean | undefined;
}

export const PARALLEL = 8;

interface Failure {
  readonly name: string;
  readonly id: string;
  readonly reason: string;
  /** Whether the migration may have been applied nevertheless. */
  readonly isUncertain: boolean;
}

export interface Outcome {
  readonly failed: readonly Failure[];
  /** The number of databases that have got what they lacked. */
  readonly migrated: number;
  readonly untried: number;
  /** Whether anything was applied. */
  readonly hasApplied: boolean;
  readonly isCancelled: boolean;
  /** The databases that still exist, with what they have as far as it is known. */
  readonly readings: readonly LedgerReading[];
}

/**
 * Applies what each database lacks: first to one, then, if that has succeeded, to the others. A database that fails keeps
 * the migrations that it has. A cancellation is a failure of the databases on which work was done.
 */
export async function applyMigrations(
  folder: MigrationFolder,
  readings: readonly LedgerReading[],
  { target, options }: { readonly target: MigrationTarget; readonly options: ApplyOptions },
  context: PlatformContext,
): Promise<Outcome> {
  const connect = connector(target, "full-access", context);
  const known = await knownLedgers(target, context);
  const failed: Failure[] = [];
  const gone = new Set<LiveDatabaseRecord>();
  let [migrated, untried, hasApplied, isCancelled] = [0, 0, false, false];

  const outcome = (): Outcome => ({
    failed: failed.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    migrated,
    untried,
    hasApplied,
    isCancelled,
    readings: readings
      .filter(({ database }) => !gone.has(database))
      .map((reading) => {
        const ledger = known.get(reading.database.DbId);
        return ledger ? { database: reading.database, ledger } : reading;
      }),
  });

  async function rehearseOne({ database, ledger }: LedgerReading): Promise<void> {
    if (!ledger) return;
    await rehearse(
      database,
      target.encryptionKey,
      async (copy) => {
        const ofCopy = { ...target, ...(target.database && { database: copy.DbId }) };
        const sql = await connector(ofCopy, "full-access", context)(copy);
        await migrateDatabase(sql, ledger, { folder, options, table: target.table, keep: () => undefined }, context);
      },
      context,
    );
  }

  async function migrateOne(reading: LedgerReading): Promise<void> {
    const { database } = reading;
    const { DbId, Name } = database;
    let sql: SqlDatabase | undefined;
    try {
      if (!reading.ledger) throw new Refusal("unavailable", { answer: reading.unread });
      sql = await connect(database);
      const before = reading.ledger;
      const keep = (ledger: Ledger) => {
        known.set(DbId, ledger);
        hasApplied ||= ledger.rows.length > before.rows.length;
      };
      await migrateDatabase(sql, before, { folder, options, table: target.table, keep }, context);
      migrated++;
    } catch (failure) {
      // Another program may delete a database of the group.
      if (target.database === undefined && isRefusal(failure, "absent") && (await isDeleted(DbId, context))) {
        gone.add(database);
        return;
      }
      const isUncertain = sql !== undefined && isRefusal(failure) && failure.uncertain;
      failed.push({ name: Name, id: DbId, reason: messageOf(failure), isUncertain });
      if (isRefusal(failure, "cancelled")) isCancelled = true;
      // What the database has is read again.
      else known.delete(DbId);
    }
  }

  const toTry = toBeTried(readings, folder, options);
  const [first, ...others] = inOrder(toTry, folder, options);
  if (!first) return outcome();
  if (options.rehearse) await rehearseOne(first);
  await migrateOne(first);
  // Databases that have everything show as well as a first one that the folder can be applied.
  const isUpToDate = (reading: LedgerReading) => !toTry.includes(reading);
  const canary = options.canary === undefined ? undefined : findCanary(readings, options.canary);
  const isProven = canary ? isUpToDate(canary) : readings.some(isUpToDate);
  const isStopped = () =>
    isCancelled || (failed.length > 0 && (options.onFailure !== "continue" || (migrated === 0 && !isProven)));
  await inParallel(others, options.parallel ?? PARALLEL, async (reading) => {
    if (isStopped()) untried++;
    else await migrateOne(reading);
  });
  return outcome();
}

const isDeleted = async (id: string, context: PlatformContext): Promise<boolean> =>
  (await retrieveLiveDatabase(id, context).catch(() => false)) === undefined;

/** Returns the databases that lack a migration, have another problem, or could not be read. */
const toBeTried = (
  readings: readonly LedgerReading[],
  folder: MigrationFolder,
  options: ApplyOptions,
): LedgerReading[] =>
  readings.filter(({ ledger }) => {
    const plan = ledger && planMigrations(folder, ledger, options);
    return plan === undefined || plan.problem !== undefined || plan.pending.length > 0;
  });

const isNamed = ({ Name, DbId }: LiveDatabaseRecord, wanted: string): boolean =>
  Name === wanted || DbId === wanted.toLowerCase();

export const findCanary = (readings: readonly LedgerReading[], canary: string): LedgerReading | undefined =>
  readings.find(({ database }) => isNamed(database, canary));

function inOrder(
  readings: readonly LedgerReading[],
  folder: MigrationFolder,
  options: ApplyOptions,
): readonly LedgerReading[] {
  const { canary } = options;
  const first = canary === undefined ? undefined : findCanary(readings, canary);
  const others = readings.filter((reading) => reading !== first);
  // A database that certainly fails shows nothing of the others.
  const isHopeless = ({ database, ledger }: LedgerReading) =>
    ledger === undefined ||
    database.block_writes === true ||
    planMigrations(folder, ledger, options).problem !== undefined;
  return [...(first ? [first] : []), ...others.filter((one) => !isHopeless(one)), ...others.filter(isHopeless)];
}
