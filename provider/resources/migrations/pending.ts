import type { PlatformContext } from "../../platform";
import type { SqlAccess } from "../database/sql-access";
import { type ApplyOptions, findCanary } from "./apply";
import type { LedgerReading } from "./databases";
import { firstUnfit, type MigrationFolder, readMigrations } from "./folder";
import {
  canaryMissing,
  encryptionKeyMissing,
  migrationsImpossible,
  migrationsRefused,
  pendingMigrations,
  unreadBeforeCreation,
  writesBlocked,
} from "./messages";
import { planMigrations } from "./plan";

/** Returns why the databases cannot be migrated. */
export function migrationFailure(
  readings: readonly LedgerReading[],
  folder: MigrationFolder,
  inputs: ApplyOptions & { readonly encryptionKey?: string | undefined },
  { run }: PlatformContext,
): string | undefined {
  const { canary, encryptionKey } = inputs;
  const isThere = (name: string) =>
    findCanary(readings, name) !== undefined || run.plannedBy("Database", name) !== undefined;
  if (canary !== undefined && readings.length > 0 && !isThere(canary)) return canaryMissing({ canary });
  // A database that does not exist yet will lack all migrations.
  if (readings.length === 0) return firstUnfit(folder.migrations);
  for (const { database, ledger } of readings) {
    const plan = ledger && planMigrations(folder, ledger, inputs);
    const lacksNothing = plan?.problem === undefined && plan?.pending.length === 0;
    if (database.encryption_cipher && encryptionKey === undefined && !lacksNothing)
      return encryptionKeyMissing({ name: database.Name, id: database.DbId });
    if (plan?.problem !== undefined) {
      if (inputs.onFailure === "continue") continue;
      return migrationsRefused({ name: database.Name, id: database.DbId, reason: plan.problem });
    }
    const reason = firstUnfit(plan?.pending ?? []);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Says once what is pending in the databases of a resource that does not exist yet. */
export const informPending = (
  readings: readonly LedgerReading[],
  inputs: Pick<SqlAccess, "database" | "group"> & ApplyOptions & { readonly folder?: string | undefined },
  { warn, inform, run }: PlatformContext,
): Promise<void> =>
  run.once(`pending ${inputs.folder} ${inputs.database ?? inputs.group}`, async () => {
    if (inputs.folder === undefined) return;
    const unread = readings.filter((reading) => reading.ledger === undefined);
    if (unread[0]) warn(unreadBeforeCreation({ databases: unread.map(named), cause: unread[0].unread }));
    for (const sentence of describePending(readMigrations(inputs.folder), readings, inputs)) inform(sentence);
  });

/** Says what is pending in which databases: a sentence for those that lack the same. */
export function describePending(
  folder: MigrationFolder,
  readings: readonly LedgerReading[],
  options: ApplyOptions,
): string[] {
  const byPending = new Map<
    string,
    { readonly migrations: string[]; readonly databases: { name: string; id: string }[] }
  >();
  const problems: string[] = [];
  for (const reading of readings) {
    const plan = reading.ledger && planMigrations(folder, reading.ledger, options);
    if (plan === undefined) continue;
    if (plan.problem !== undefined) {
      if (options.onFailure === "continue")
        problems.push(migrationsImpossible({ ...named(reading), reason: plan.problem }));
      continue;
    }
    const migrations = plan.pending.map(({ name }) => name);
    if (migrations.length === 0) continue;
    if (reading.database.block_writes) problems.push(writesBlocked(named(reading)));
    const same = byPending.get(migrations.join()) ?? { migrations, databases: [] };
    same.databases.push(named(reading));
    byPending.set(migrations.join(), same);
  }
  return [...[...byPending.values()].map(pendingMigrations), ...problems];
}

export const named = ({ database: { Name, DbId } }: LedgerReading) => ({ name: Name, id: DbId });
