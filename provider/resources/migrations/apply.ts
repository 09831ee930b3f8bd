import { isRefusal, messageOf } from "../../../kit/refusal";
import { inParallel } from "../../in-parallel";
import type { PlatformContext } from "../../platform";
import { type LiveDatabaseRecord, retrieveLiveDatabase } from "../database/live-databases";
import { connector } from "../database/sql-access";
import { knownLedgers, type LedgerReading, type MigrationTarget } from "./databases";
import type { MigrationFolder } from "./folder";
import { type Ledger, readLedger } from "./ledger";
import type { Failure } from "./messages";
import { migrateDatabase } from "./migrate-database";
import { type MigrationPlan, planMigrations } from "./plan";
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

export interface Outcome {
  readonly failed: readonly Failure[];
  /** The number of databases that have got what they lacked. */
  readonly migrated: number;
  readonly untried: number;
  readonly isCancelled: boolean;
  /** Whether anything was applied, or may have been. */
  readonly hasApplied: boolean;
  /** The databases that still exist, with what they have as far as it is known. */
  readonly readings: readonly LedgerReading[];
}

/**
 * Applies what each database lacks: first to one, then, if that has succeeded, to the others. A database that fails keeps
 * the migrations that it has. One of a group that somebody deletes meanwhile is left out.
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

  async function isGone(database: LiveDatabaseRecord): Promise<boolean> {
    const isOfGroup = target.database === undefined;
    if (isOfGroup && (await isDeleted(database.DbId, context))) gone.add(database);
    return gone.has(database);
  }

  async function rehearseOn({ database }: LedgerReading): Promise<void> {
    const migrateCopy = async (copy: LiveDatabaseRecord) => {
      const ofCopy = { ...target, ...(target.database && { database: copy.DbId }) };
      const sql = await connector(ofCopy, "full-access", context)(copy);
      const ledger = await readLedger(sql, target.table);
      await migrateDatabase(sql, ledger, { folder, options, table: target.table, keep: () => undefined }, context);
    };
    try {
      await rehearse(database, target.encryptionKey, migrateCopy, context);
    } catch (failure) {
      if (!(await isGone(database))) throw failure;
    }
  }

  async function migrateOne(reading: LedgerReading): Promise<void> {
    const { database } = reading;
    const { DbId: id, Name: name } = database;
    let hasMore = false;
    try {
      const sql = await connect(database);
      // A database that could not be read may answer now.
      const before = reading.ledger ?? (await readLedger(sql, target.table));
      const keep = (ledger: Ledger) => {
        known.set(id, ledger);
        hasMore = ledger.rows.length > before.rows.length;
        hasApplied ||= hasMore;
      };
      await migrateDatabase(sql, before, { folder, options, table: target.table, keep }, context);
      migrated++;
    } catch (failure) {
      if (await isGone(database)) return;
      const isUncertain = isRefusal(failure) && failure.uncertain;
      hasApplied ||= isUncertain;
      // What the database has is read again, unless it has refused a statement.
      if (!isRefusal(failure, "invalid", "cancelled")) known.delete(id);
      const isNotBegun = isRefusal(failure, "cancelled") && !isUncertain && !hasMore;
      isCancelled ||= isRefusal(failure, "cancelled");
      if (isNotBegun) untried++;
      else failed.push({ name, id, reason: messageOf(failure), isUncertain });
    }
  }

  const candidates = candidatesOf(readings, folder, options);
  const queue = inOrder(candidates, options);
  // If the first one is deleted meanwhile, the next takes its place.
  for (let first = queue.shift(); first; first = gone.has(first.database) ? queue.shift() : undefined) {
    if (options.rehearse) await rehearseOn(first);
    if (!gone.has(first.database)) await migrateOne(first);
  }
  // Databases that have everything show as well as a first one that the folder can be applied.
  const isUpToDate = (reading: LedgerReading) => !candidates.some((candidate) => candidate.reading === reading);
  const canary = options.canary === undefined ? undefined : findCanary(readings, options.canary);
  const isProven = canary ? isUpToDate(canary) : candidates.length < readings.length;
  const isStopped = () =>
    isCancelled || (failed.length > 0 && (options.onFailure !== "continue" || (migrated === 0 && !isProven)));
  await inParallel(queue, options.parallel ?? PARALLEL, async (reading) => {
    if (isStopped()) untried++;
    else await migrateOne(reading);
  });
  return {
    failed: failed.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    migrated,
    untried,
    isCancelled,
    hasApplied,
    readings: readings.flatMap((reading) => {
      const { database } = reading;
      const ledger = known.get(database.DbId);
      return gone.has(database) ? [] : [ledger ? { database, ledger } : reading];
    }),
  };
}

const isDeleted = async (id: string, context: PlatformContext): Promise<boolean> =>
  (await retrieveLiveDatabase(id, context).catch(() => false)) === undefined;

/** A database that lacks a migration, has another problem, or could not be read. */
interface Candidate {
  readonly reading: LedgerReading;
  readonly plan: MigrationPlan | undefined;
}

const candidatesOf = (
  readings: readonly LedgerReading[],
  folder: MigrationFolder,
  options: ApplyOptions,
): readonly Candidate[] =>
  readings
    .map((reading) => ({ reading, plan: reading.ledger && planMigrations(folder, reading.ledger, options) }))
    .filter(({ plan }) => plan === undefined || plan.problem !== undefined || plan.pending.length > 0);

const isNamed = ({ Name, DbId }: LiveDatabaseRecord, wanted: string): boolean =>
  Name === wanted || DbId === wanted.toLowerCase();

export const findCanary = (readings: readonly LedgerReading[], canary: string): LedgerReading | undefined =>
  readings.find(({ database }) => isNamed(database, canary));

/** The canary comes first. A database that seems to fail comes last, because it shows nothing of the others. */
function inOrder(candidates: readonly Candidate[], { canary }: ApplyOptions): LedgerReading[] {
  const place = ({ reading: { database }, plan }: Candidate): number => {
    if (canary !== undefined && isNamed(database, canary)) return 0;
    return plan === undefined || plan.problem !== undefined || database.block_writes === true ? 2 : 1;
  };
  return candidates.toSorted((one, other) => place(one) - place(other)).map(({ reading }) => reading);
}
