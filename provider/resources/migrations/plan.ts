import type { Migration, MigrationFolder } from "./folder";
import type { Ledger, LedgerRow } from "./ledger";
import { appliedMissing, appliedOutOfOrder, migrationChanged } from "./messages";

/** What is to be applied to one database, or why nothing can be. */
export type MigrationPlan =
  | { readonly pending: readonly Migration[]; readonly problem?: undefined }
  | { readonly problem: string };

/** Compares a folder with what a database has. */
export function planMigrations(
  { migrations }: MigrationFolder,
  { rows }: Ledger,
  { outOfOrder = false }: { readonly outOfOrder?: boolean | undefined },
): MigrationPlan {
  const applied = new Set<Migration>();
  for (const row of rows) {
    const found = migrations.filter((migration) => !applied.has(migration)).find(isOf(row, migrations));
    if (!found) return { problem: appliedMissing({ migration: describeRow(row) }) };
    if (found.hash !== row.hash)
      return { problem: migrationChanged({ name: found.name, applied: row.hash, file: found.hash }) };
    applied.add(found);
  }
  const pending = migrations.filter((migration) => !applied.has(migration));
  const [first] = pending;
  const last = migrations.findLast((migration) => applied.has(migration));
  if (first && last && !outOfOrder && migrations.indexOf(first) < migrations.indexOf(last))
    return { problem: appliedOutOfOrder({ name: first.name, last: last.name }) };
  return { pending };
}

/**
 * Tables of Drizzle may have no names, and the newer form of its folders has times without milliseconds. Migrations of
 * one second differ in their hashes.
 */
function isOf({ name, hash, createdAt }: LedgerRow, migrations: readonly Migration[]) {
  const isNamed = (migration: Migration) => migration.name === name;
  if (createdAt === 0 || migrations.some(isNamed)) return isNamed;
  const second = Math.floor(createdAt / 1000);
  const isOfTime = (migration: Migration) => Math.floor(migration.createdAt / 1000) === second;
  const times = migrations.filter(isOfTime).length;
  if (times === 1) return isOfTime;
  return (migration: Migration) => migration.hash === hash && (times === 0 || isOfTime(migration));
}

/** Names an applied migration of which the folder may know nothing. */
export const describeRow = ({ name, hash, createdAt }: LedgerRow): string =>
  name ?? (createdAt > 0 ? new Date(createdAt).toISOString() : hash.slice(0, 8));

/**
 * Returns the hashes of the applied migrations by name, as the property `migrations` has them. Tables without names get
 * those that are known.
 */
export function appliedByName({ rows }: Ledger, known: Readonly<Record<string, string>>): Record<string, string> {
  const applied: Record<string, string> = {};
  for (const row of rows) {
    const name = row.name ?? Object.keys(known).find((one) => known[one] === row.hash && !(one in applied));
    applied[name ?? describeRow(row)] = row.hash;
  }
  return applied;
}
