import { hashOf, type Migration, type MigrationFolder } from "./folder";
import type { Ledger, LedgerRow } from "./ledger";
import { appliedMissing, appliedOutOfOrder, lineEndsChanged, migrationChanged } from "./messages";

/** The migrations that one database lacks, or the reason why none can be applied to it. */
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
    const is = isOf(row, migrations);
    const found = migrations.find((migration) => !applied.has(migration) && is(migration));
    // Two migrators at once may list one twice.
    if (!found && [...applied].some((migration) => is(migration) && migration.hash === row.hash)) continue;
    if (!found) return { problem: appliedMissing({ migration: describeRow(row) }) };
    if (found.hash !== row.hash) return { problem: changeOf(found, row.hash) };
    applied.add(found);
  }
  const pending = migrations.filter((migration) => !applied.has(migration));
  const [first] = pending;
  const last = migrations.findLast((migration) => applied.has(migration));
  if (first && last && !outOfOrder && migrations.indexOf(first) < migrations.indexOf(last))
    return { problem: appliedOutOfOrder({ name: first.name, last: last.name }) };
  return { pending };
}

/** Says how a file differs from the applied one, of which only the hash is known. */
function changeOf({ name, hash, text }: Migration, applied: string): string {
  const lines = text.split(/\r?\n/);
  const hasOtherLineEnds = ["\n", "\r\n"].some((end) => hashOf(lines.join(end)) === applied);
  return hasOtherLineEnds ? lineEndsChanged({ name }) : migrationChanged({ name, applied, file: hash });
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
const describeRow = ({ name, hash, createdAt }: LedgerRow): string =>
  name ?? (createdAt > 0 ? `of ${new Date(createdAt).toISOString()}` : `with hash ${hash}`);

/** The hashes of migrations by name. */
export type Hashes = Readonly<Record<string, string>>;

/**
 * Returns what a database has, by name. A row without a name, or one of Drizzle with a name that is not known, gets the
 * name that is known of its hash.
 */
function appliedByName({ rows }: Ledger, known: Hashes): Record<string, string> {
  const applied: Record<string, string> = {};
  for (const row of rows) {
    const { name, hash, createdAt } = row;
    if (name !== undefined && (createdAt === 0 || Object.hasOwn(known, name))) applied[name] = hash;
    else {
      const names = Object.keys(known).filter((one) => known[one] === hash);
      const free = names.find((one) => !(one in applied));
      // One that is listed twice has its name already.
      if (free !== undefined || names.length === 0) applied[free ?? name ?? `${UNNAMED}${describeRow(row)}`] = hash;
    }
  }
  return applied;
}

const UNNAMED = "migration ";

/** Returns whether the same migrations were applied as the folder has. Those without a name are known by their hashes. */
export const isSameMigrations = (folder: Hashes, applied: Hashes): boolean =>
  Object.keys(folder).length === Object.keys(applied).length &&
  Object.entries(applied).every(
    ([name, hash]) => folder[name] === hash || (name.startsWith(UNNAMED) && Object.values(folder).includes(hash)),
  );

/**
 * Compares what several databases have. If there are none, nothing is missing.
 *
 * @param folder What the folder has, if it can be read.
 */
export function compareApplied(
  ledgers: readonly { readonly name: string; readonly ledger: Ledger }[],
  folder: Hashes | undefined,
  known: Hashes,
) {
  const names = folder ?? known;
  const all = ledgers.map(({ name, ledger }) => ({ name, applied: appliedByName(ledger, names) }));
  const union: Record<string, string> = Object.fromEntries(all.flatMap(({ applied }) => Object.entries(applied)));
  const isForeign = (name: string) => folder !== undefined && folder[name] !== union[name];
  const hasEach = (name: string) => all.every(({ applied }) => applied[name] === union[name]);
  const kept = Object.entries(union).filter(([name]) => hasEach(name) || isForeign(name));
  const expected = Object.keys(union).filter((name) => !isForeign(name));
  return {
    /** What every database has, and what only some of them have and the folder has not. */
    migrations: all.length === 0 ? names : Object.fromEntries(kept),
    /** The names of the databases that lack what another one has. */
    behind: all.filter(({ applied }) => expected.some((name) => !(name in applied))).map(({ name }) => name),
  };
}
