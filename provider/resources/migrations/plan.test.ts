import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../../test/full";
import { Migration, type MigrationFolder } from "./folder";
import type { Ledger, LedgerRow } from "./ledger";
import { appliedMissing, appliedOutOfOrder, lineEndsChanged, migrationChanged } from "./messages";
import { compareApplied, planMigrations } from "./plan";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const BEGUN = 1_790_000_000_000;
/** Milliseconds between two migrations. Two in one second may have been generated at once. */
const SPACES = [500, 60_000] as const;

/** The rows that migrators write for an applied migration. */
const WRITTEN = {
  "our own table": ({ name, hash }: Migration): LedgerRow => ({ name, hash, createdAt: 0 }),
  "Drizzle's table": ({ hash, createdAt }: Migration): LedgerRow => ({ name: undefined, hash, createdAt }),
  "Drizzle's table with names": ({ name, hash, createdAt }: Migration): LedgerRow => ({ name, hash, createdAt }),
  "Drizzle's table with times in seconds": ({ hash, createdAt }: Migration): LedgerRow => ({
    name: undefined,
    hash,
    createdAt: Math.floor(createdAt / 1000) * 1000,
  }),
};

type Written = keyof typeof WRITTEN;

function folderOf(texts: readonly string[], written: Written, space: number): MigrationFolder {
  const form = written === "our own table" ? "numbered" : "journal";
  const migrations = texts.map((text, index) => {
    const createdAt = form === "numbered" ? 0 : BEGUN + index * space;
    return new Migration(`${String(index).padStart(4, "0")}_${text}`, text, createdAt);
  });
  return { form, migrations };
}

const ledgerOf = (applied: readonly Migration[], written: Written): Ledger => ({
  columns: [],
  rows: applied.map(WRITTEN[written]),
});

const written = fc.constantFrom(...(Object.keys(WRITTEN) as Written[]));
const texts = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

/** A folder of migrations, some of which are applied. */
const applied = fc.record({
  texts,
  written,
  space: fc.constantFrom(...SPACES),
  mask: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
});

type Given = typeof applied extends fc.Arbitrary<infer Generated> ? Generated : never;

function situation({ texts, written, space, mask }: Given) {
  const folder = folderOf(texts, written, space);
  const [done, left] = [true, false].map((wanted) =>
    folder.migrations.filter((_, index) => mask[index] === wanted),
  ) as [Migration[], Migration[]];
  return { folder, done, left, ledger: ledgerOf(done, written) };
}

/** A table without names may not show which of two migrations of the same second was applied. */
const exactly = ({ space }: Given, problem: string) => (space === SPACES[0] ? expect.any(String) : problem);

test("with `outOfOrder`, exactly what is not applied is pending, in the order of the folder", () => {
  fc.assert(
    fc.property(applied, (given) => {
      const { folder, left, ledger } = situation(given);
      expect(planMigrations(folder, ledger, { outOfOrder: true })).toEqual({ pending: left });
    }),
    seeded,
  );
});

test("without `outOfOrder`, a migration that sorts before an applied one is refused, and nothing else", () => {
  fc.assert(
    fc.property(applied, (given) => {
      const { folder, done, left, ledger } = situation(given);
      const [first, last] = [left[0], done.at(-1)];
      const isLate = first && last && folder.migrations.indexOf(first) < folder.migrations.indexOf(last);
      expect(planMigrations(folder, ledger, {})).toEqual(
        isLate ? { problem: appliedOutOfOrder({ name: first.name, last: last.name }) } : { pending: left },
      );
    }),
    seeded,
  );
});

test("applying what is pending leaves nothing pending", () => {
  fc.assert(
    fc.property(applied, (given) => {
      const { folder, done, left } = situation(given);
      const ledger = ledgerOf([...done, ...left], given.written);
      expect(planMigrations(folder, ledger, {})).toEqual({ pending: [] });
    }),
    seeded,
  );
});

test("an applied migration that the folder lacks is a problem that names it", () => {
  fc.assert(
    fc.property(applied, (given) => {
      const { folder, done, ledger } = situation(given);
      fc.pre(done.length > 0);
      const [missing, row] = [done[0] as Migration, ledger.rows[0] as LedgerRow];
      const others = folder.migrations.filter((migration) => migration !== missing);
      expect(planMigrations({ ...folder, migrations: others }, ledger, { outOfOrder: true })).toEqual({
        problem: exactly(
          given,
          appliedMissing({ migration: row.name ?? `of ${new Date(row.createdAt).toISOString()}` }),
        ),
      });
    }),
    seeded,
  );
});

test("a file that was changed after it was applied is a problem with both hashes", () => {
  fc.assert(
    fc.property(applied, (given) => {
      const { folder, done, ledger } = situation(given);
      fc.pre(done.length > 0);
      const changed = done[0] as Migration;
      const file = hashOf("changed");
      const migrations = folder.migrations.map((one) =>
        one === changed ? new Migration(one.name, "changed", one.createdAt) : one,
      );
      expect(planMigrations({ ...folder, migrations }, ledger, { outOfOrder: true })).toEqual({
        problem: exactly(given, migrationChanged({ name: changed.name, applied: changed.hash, file })),
      });
    }),
    seeded,
  );
});

test("a file with other line ends than the applied one is a problem that says so", () => {
  const text = "create table a (x);\r\nselect 1;\r\n";
  const [one] = folderOf([text], "our own table", 0).migrations as [Migration];
  const ledger = ledgerOf([new Migration(one.name, text.replaceAll("\r", ""), 0)], "our own table");
  const problem = lineEndsChanged({ name: one.name });
  expect(planMigrations({ form: "numbered", migrations: [one] }, ledger, {})).toEqual({ problem });
});

test("a migration that is listed twice is applied once", () => {
  const { migrations, form } = folderOf(["a", "b"], "Drizzle's table", 60_000);
  const [one, other] = migrations as [Migration, Migration];
  const ledger = ledgerOf([one, one], "Drizzle's table");
  expect(planMigrations({ form, migrations }, ledger, {})).toEqual({ pending: [other] });
  const folder = { [one.name]: one.hash, [other.name]: other.hash };
  const { migrations: shown } = compareApplied([{ name: "db", ledger }], folder, {});
  expect(shown).toEqual({ [one.name]: one.hash });
});

test("a folder of drizzle-kit 1.0 that is renamed has the same migration", () => {
  const before = new Migration("20261130051500_init", "a", Date.UTC(2026, 10, 30, 5, 15));
  const after = new Migration("20261130051500_initial", before.text, before.createdAt);
  const ledger = ledgerOf([before], "Drizzle's table with names");
  expect(planMigrations({ form: "folders", migrations: [after] }, ledger, {})).toEqual({ pending: [] });
  const folder = { [after.name]: after.hash };
  expect(compareApplied([{ name: "db", ledger }], folder, {}).migrations).toEqual(folder);
});

test("of several databases, what all have counts as applied, and who lacks what another one has is behind", () => {
  const counts = fc.array(fc.nat(8), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(applied, counts, ({ texts, written, space }, counts) => {
      const { migrations } = folderOf(texts, written, space);
      const folder = Object.fromEntries(migrations.map(({ name, hash }) => [name, hash]));
      const databases = counts.map((count, index) => ({
        name: `db-${index}`,
        ledger: ledgerOf(migrations.slice(0, count), written),
      }));
      const [least, most] = [Math.min, Math.max].map((of) =>
        of(...counts.map((count) => Math.min(count, texts.length))),
      );
      expect(compareApplied(databases, folder, {})).toEqual({
        migrations: Object.fromEntries(Object.entries(folder).slice(0, least)),
        behind: databases.filter(({ ledger }) => ledger.rows.length < Number(most)).map(({ name }) => name),
      });
    }),
    seeded,
  );
});
