import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FolderProblem, firstUnfit, Migration, readMigrations } from "./folder";
import {
  downFile,
  downSection,
  folderMissing,
  journalOfOtherDialect,
  journalUnreadable,
  listedTwice,
  migrationFileMissing,
  migrationNotUtf8,
  NO_MIGRATIONS,
  numberMissing,
  sameNumber,
  statementUnfit,
  timeMissing,
} from "./messages";

/** Returns a folder with these files, by path. */
function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const JOURNAL = {
  version: "7",
  dialect: "turso",
  entries: [
    { idx: 1, version: "6", when: 1_790_000_000_500, tag: "0001_amount", breakpoints: true },
    { idx: 0, version: "6", when: 1_790_000_000_000, tag: "0000_orders", breakpoints: true },
  ],
};

test("reads a folder of drizzle-kit with a journal, in its order, as Drizzle does", () => {
  const folder = folderWith({ "meta/_journal.json": JOURNAL, "0000_orders.sql": "a", "0001_amount.sql": "b" });
  expect(readMigrations(folder)).toEqual({
    form: "journal",
    migrations: [
      { name: "0001_amount", hash: sha256("b"), text: "b", createdAt: 1_790_000_000_500 },
      { name: "0000_orders", hash: sha256("a"), text: "a", createdAt: 1_790_000_000_000 },
    ],
  });
});

test("reads a folder of drizzle-kit with a folder for each migration, whose name has its time", () => {
  const folder = folderWith({
    "20261130051500_init/migration.sql": "a",
    "20261130051500_init/snapshot.json": "{}",
    "20261201000000_next/migration.sql": "b",
    "notes.sql": "no migration",
  });
  expect(readMigrations(folder)).toEqual({
    form: "folders",
    migrations: [
      { name: "20261130051500_init", hash: sha256("a"), text: "a", createdAt: Date.UTC(2026, 10, 30, 5, 15) },
      { name: "20261201000000_next", hash: sha256("b"), text: "b", createdAt: Date.UTC(2026, 11, 1) },
    ],
  });
});

test("reads files that begin with a number, in the order of the numbers", () => {
  const folder = folderWith({ "10_late.sql": "c", "2_next.sql": "b", "01.sql": "a", "README.md": "" });
  const { form, migrations } = readMigrations(folder);
  expect({ form, names: migrations.map(({ name }) => name) }).toEqual({
    form: "numbered",
    names: ["01", "2_next", "10_late"],
  });
});

interface Unreadable {
  readonly what: string;
  readonly files: Readonly<Record<string, string | object>>;
  problem(folder: string): string;
}

const notJournal = (folder: string) => journalUnreadable({ folder, reason: "<reason>" }).split("<reason>", 1).join();

const UNREADABLE: readonly Unreadable[] = [
  { what: "no migration", files: { "README.md": "" }, problem: () => NO_MIGRATIONS },
  {
    what: "an empty journal",
    files: { "meta/_journal.json": { ...JOURNAL, entries: [] } },
    problem: () => NO_MIGRATIONS,
  },
  {
    what: "a journal that is no JSON",
    files: { "meta/_journal.json": "<<<<<<< HEAD" },
    problem: notJournal,
  },
  {
    what: "a journal without times",
    files: { "meta/_journal.json": { dialect: "turso", entries: [{ tag: "0000_orders" }] } },
    problem: notJournal,
  },
  {
    what: "a journal for PostgreSQL",
    files: { "meta/_journal.json": { ...JOURNAL, dialect: "postgresql" } },
    problem: (folder) => journalOfOtherDialect({ folder, dialect: "postgresql" }),
  },
  {
    what: "a journal that lists a migration twice",
    files: {
      "meta/_journal.json": { ...JOURNAL, entries: [...JOURNAL.entries, ...JOURNAL.entries] },
      "0000_orders.sql": "a",
      "0001_amount.sql": "b",
    },
    problem: (folder) => listedTwice({ folder, tag: "0001_amount" }),
  },
  {
    what: "a journal that names a file that is not there",
    files: { "meta/_journal.json": JOURNAL, "0000_orders.sql": "a" },
    problem: (folder) => migrationFileMissing({ file: join(folder, "0001_amount.sql") }),
  },
  {
    what: "a file without a number",
    files: { "0001_orders.sql": "a", "orders.sql": "b" },
    problem: () => numberMissing({ name: "orders.sql" }),
  },
  {
    what: "two files with one number",
    files: { "0001_orders.sql": "a", "1_amount.sql": "b" },
    problem: () => sameNumber({ name: "0001_orders.sql", other: "1_amount.sql" }),
  },
  ...["0001_orders.down.sql", "0002_undo.sql"].map((name) => ({
    what: name,
    files: { [name]: "a" },
    problem: () => downFile({ name }),
  })),
  ...["-- migrate:down", "-- +goose Down", "--//@UNDO"].map((mark) => ({
    what: `a part after ${mark}`,
    files: { "0001_orders.sql": `create table a (x);\n${mark}\ndrop table a;` },
    problem: () => downSection({ name: "0001_orders.sql", mark }),
  })),
  {
    what: "a folder of a migration without a time",
    files: { "init/migration.sql": "a" },
    problem: () => timeMissing({ name: "init" }),
  },
];

test.each(UNREADABLE)("rejects a folder with $what", ({ files, problem }) => {
  const folder = folderWith(files);
  expect(() => readMigrations(folder)).toThrow(FolderProblem);
  expect(() => readMigrations(folder)).toThrow(problem(folder));
});

test("rejects a file that is not encoded in UTF-8, instead of changing its texts", () => {
  const folder = folderWith({});
  writeFileSync(join(folder, "0001_names.sql"), Buffer.from("insert into names values ('M\xfcller')", "latin1"));
  const problem = migrationNotUtf8({ file: join(folder, "0001_names.sql") });
  expect(() => readMigrations(folder)).toThrow(problem);
});

test("rejects a folder that does not exist", () => {
  const folder = join(folderWith({}), "drizzle");
  expect(() => readMigrations(folder)).toThrow(folderMissing({ folder }));
});

const migrationOf = (text: string) => new Migration("0001_orders", text, 0);

test("splits a migration at semicolons and at the breakpoints of drizzle-kit", () => {
  const text = `create table a (b text); create index c on a (b);
--> statement-breakpoint
create trigger d after insert on a begin select 1; end
--> statement-breakpoint
insert into a values ('x; y')`;
  expect(migrationOf(text).statements.map((statement) => statement.text)).toEqual([
    "create table a (b text)",
    "create index c on a (b)",
    "create trigger d after insert on a begin select 1; end",
    "insert into a values ('x; y')",
  ]);
});

test.each([
  "begin immediate",
  "COMMIT",
  "end transaction",
  "rollback",
  "savepoint a",
  "release a",
  "vacuum",
  "attach 'a' as b",
  "detach b",
])("names a statement that cannot run in a transaction: %s", (statement) => {
  const migration = migrationOf(`create table a (b);\n-- so\n${statement};`);
  expect(firstUnfit([migration])).toBe(statementUnfit({ name: "0001_orders", statement }));
});

test("accepts BEGIN and END in a trigger, and words that only begin like a transaction", () => {
  const text = "create trigger a after insert on b begin select 1; end; create table beginning (committed)";
  expect(firstUnfit([migrationOf(text)])).toBeUndefined();
});
