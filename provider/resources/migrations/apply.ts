import { setTimeout as wait } from "node:timers/promises";
import { isRefusal, messageOf, Refusal } from "../../../kit/refusal";
import { type SqlDatabase, StatementRefused } from "../../client/sql";
import { inParallel } from "../../in-parallel";
import type { PlatformContext } from "../../platform";
import { type LiveDatabaseRecord, retrieveLiveDatabase } from "../database/live-databases";
import { connector } from "../database/sql-access";
import { knownLedgers, type LedgerReading, type MigrationTarget } from "./databases";
import { type Migration, type MigrationFolder, reasonUnfit } from "./folder";
import { LEDGER_STATEMENTS, type Ledger, ledgerStatements, readLedger, withRow } from "./ledger";
import { LEDGER_LOST, migrationFailed, statementFailed } from "./messages";
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

interface Work {
  readonly folder: MigrationFolder;
  readonly options: ApplyOptions;
  readonly table: string;
  /** Keeps what the database has now. */
  readonly keep: (ledger: Ledger) => void;
}

const MOST_FAILURES = 3;
const WAIT_MS = 200;

/**
 * Applies what a database lacks, each migration and its row in the table in one transaction. If it is not known whether
 * one was applied, the table says so.
 *
 * @throws Refusal that names the migration. It has changed nothing, unless the refusal is uncertain.
 */
async function migrateDatabase(
  sql: SqlDatabase,
  read: Ledger,
  { folder, options, table, keep }: Work,
  { platform: { clock } }: PlatformContext,
): Promise<void> {
  const lackedIn = (ledger: Ledger): readonly Migration[] => {
    const plan = planMigrations(folder, ledger, options);
    if (plan.problem !== undefined) throw new Refusal("conflict", { answer: plan.problem });
    return plan.pending;
  };
  let ledger = read;
  let failures = 0;
  for (let pending = lackedIn(ledger); ; keep(ledger)) {
    const [next, ...others] = pending;
    if (!next) return;
    const unfit = reasonUnfit(next);
    if (unfit !== undefined) throw new Refusal("invalid", { answer: unfit });
    const statements = next.statements.map(({ text }) => text);
    const before = ledgerStatements(folder, ledger, next, new Date(clock.now()).toISOString());
    try {
      await sql.transact([...before, ...statements]);
      ledger = withRow(folder, ledger, next);
      pending = others;
    } catch (failure) {
      if (isFinal(failure)) throw refusalOf(failure, next, statements);
      const now = await readLedger(sql, table, "write").catch((unread) => {
        const uncertain = isRefusal(failure) && failure.uncertain;
        const kind = isRefusal(unread, "cancelled") ? "cancelled" : "unavailable";
        throw refusalOf(new Refusal(kind, { answer: messageOf(unread), uncertain }), next, statements);
      });
      // Another migrator goes on, or the response was lost.
      if (now.rows.length < ledger.rows.length)
        throw refusalOf(new Refusal("conflict", { answer: LEDGER_LOST }), next, statements);
      const hasMoved = now.rows.length !== ledger.rows.length;
      if (!hasMoved && ++failures === MOST_FAILURES) throw refusalOf(failure, next, statements);
      if (!hasMoved) await wait(WAIT_MS * failures);
      ledger = now;
      pending = lackedIn(ledger);
    }
  }
}

/** Returns whether another attempt would fail as well. Another migrator may have locked or changed the table. */
const isFinal = (failure: unknown): boolean =>
  failure instanceof StatementRefused
    ? failure.index !== undefined && failure.index >= LEDGER_STATEMENTS
    : !isRefusal(failure, "unavailable", "unreadable", "throttled");

function refusalOf(failure: unknown, { name }: Migration, statements: readonly string[]): unknown {
  if (isRefusal(failure)) {
    const { kind, status, uncertain, message } = failure;
    return new Refusal(kind, {
      answer: migrationFailed({ name, reason: message }),
      status,
      uncertain,
      cause: failure,
    });
  }
  if (!(failure instanceof StatementRefused)) return failure;
  const { index = 0, reason } = failure;
  const statement = statements[index - LEDGER_STATEMENTS];
  const answer =
    statement === undefined ? migrationFailed({ name, reason }) : statementFailed({ name, statement, reason });
  return new Refusal("invalid", { answer, cause: failure });
}
