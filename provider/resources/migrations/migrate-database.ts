import { setTimeout as wait } from "node:timers/promises";
import { isRefusal, messageOf, Refusal } from "../../../kit/refusal";
import { type SqlDatabase, StatementRefused } from "../../client/sql";
import type { PlatformContext } from "../../platform";
import { firstUnfit, type Migration, type MigrationFolder } from "./folder";
import { LEDGER_STATEMENTS, type Ledger, ledgerStatements, readLedger, withRow } from "./ledger";
import { LEDGER_LOST, migrationFailed, statementFailed } from "./messages";
import { planMigrations } from "./plan";

/** The migrations that a database may lack, and how to apply them. */
interface Work {
  readonly folder: MigrationFolder;
  readonly options: { readonly outOfOrder?: boolean | undefined };
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
export async function migrateDatabase(
  sql: SqlDatabase,
  read: Ledger,
  { folder, options, table, keep }: Work,
  { platform: { clock } }: PlatformContext,
): Promise<void> {
  const lackedIn = (ledger: Ledger): readonly Migration[] => {
    const plan = planMigrations(folder, ledger, options);
    if (plan.problem !== undefined) throw new Refusal("conflict", { answer: plan.problem });
    const unfit = firstUnfit(plan.pending);
    if (unfit !== undefined) throw new Refusal("invalid", { answer: unfit });
    return plan.pending;
  };
  let ledger = read;
  let failures = 0;
  for (let pending = lackedIn(ledger); ; ) {
    const [next, ...others] = pending;
    if (!next) return;
    const statements = next.statements.map(({ text }) => text);
    const before = ledgerStatements(folder, ledger, next, new Date(clock.now()).toISOString());
    try {
      await sql.transact([...before, ...statements]);
      ledger = withRow(folder, ledger, next);
      keep(ledger);
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
      keep(ledger);
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
