import { createHash } from "node:crypto";
import { existsSync, fsyncSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { OpenDatabase } from "../../../platform/reference/sql/engine/database";
import { FILE, LOG } from "../../../platform/reference/sql/engine/database-files";
import { dataFile } from "./sql";

vi.mock("node:fs", { spy: true });

const PAGES = 100_000;

/** Statements that change `t`, each of which SQLite commits by itself. */
const change = fc.oneof(
  fc.nat(40_000).map((bytes) => `insert into t (y) values (randomblob(${bytes}))`),
  fc.nat(6).map((rest) => `delete from t where x % 7 = ${rest}`),
  fc.nat(6).map((rest) => `update t set y = randomblob(length(y) / 2 + 1) where x % 7 = ${rest}`),
  fc.constantFrom(
    // Adds more than 1,000 pages to the log, and so starts a new part of the history.
    "insert into t (y) values (randomblob(4500000))",
    "delete from t where length(y) > 1000",
    "delete from t",
    "create table if not exists u as select * from t",
    "drop table if exists u",
    "pragma incremental_vacuum",
    "vacuum",
  ),
);

const step = fc.oneof(
  { arbitrary: change.map((sql) => [sql]), weight: 6 },
  {
    arbitrary: fc
      .tuple(fc.array(change, { maxLength: 3 }), fc.constantFrom("commit", "rollback", "rollback to s; commit"))
      .map(([changes, end]) => [
        "begin",
        changes[0] ?? "select 1",
        "savepoint s",
        ...changes.slice(1),
        ...end.split("; "),
      ]),
    weight: 3,
  },
  fc.constant("reopen"),
);

/** Returns everything in a database, with a hash in place of each value of `y`. */
function contentOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    return tables.map(({ name }) => [
      name,
      database
        .prepare(`select x, y from "${name}" order by x`)
        .all()
        .map(
          ({ x, y }) =>
            `${x} ${createHash("md5")
              .update(y as Uint8Array)
              .digest("hex")}`,
        ),
    ]);
  } finally {
    database.close();
  }
}

/** Checks the content of a SQLite file that has no log, and that it has no bytes after its last page. */
function expectFile(file: string, content: unknown): void {
  expect(existsSync(`${file}-wal`)).toBe(false);
  const bytes = readFileSync(file);
  const [size, pages] = [bytes.readUInt16BE(16), bytes.readUInt32BE(28)];
  expect(bytes.length).toBe(pages * (size === 1 ? 65_536 : size));
  expect(contentOf(file)).toEqual(content);
}

test("saved and copied files have exactly the rows that SQLite had committed, now and at each earlier commit", () => {
  const root = dirname(dataFile());
  let count = 0;
  const placeOfPageSize = fc.record({
    size: fc.constantFrom(512, 4096, 65_536),
    vacuum: fc.constantFrom("none", "full", "incremental"),
    durable: fc.boolean(),
    hasOpenTransaction: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  });
  fc.assert(
    fc.property(placeOfPageSize, ({ size, vacuum, durable, hasOpenTransaction, steps }) => {
      count += 1;
      const place = (name: string) => join(root, `${name}-${count}`);
      const folder = place("database");
      mkdirSync(folder);
      const made = new DatabaseSync(join(folder, FILE));
      made.exec(
        `pragma page_size = ${size}; pragma auto_vacuum = ${vacuum}; create table t (x integer primary key, y)`,
      );
      made.close();
      const target = { folder, durable, now: "", pages: PAGES };
      let database = new OpenDatabase(target);
      const states: { at: string; content: unknown }[] = [];
      const note = () => {
        const at = new Date(Date.UTC(2026, 2, 1, 12, 0, states.length)).toISOString();
        database.noteCommit(at);
        states.push({ at, content: contentOf(join(folder, FILE)) });
        database.settle();
      };
      try {
        note();
        for (const statements of steps) {
          if (typeof statements === "string") {
            database.close(true);
            database = new OpenDatabase(target);
            continue;
          }
          const connection = database.connect(PAGES);
          connection.own("pragma cache_size = 5");
          for (const sql of statements)
            try {
              connection.own(sql);
            } catch (thrown) {
              if (!`${thrown}`.includes("VACUUM")) throw thrown;
            }
          database.release(connection);
          note();
        }
        const open = database.connect(PAGES);
        if (hasOpenTransaction) {
          open.own("pragma cache_size = 5");
          open.own("begin immediate");
          open.own("insert into t (y) values (randomblob(2000000))");
        }
        const saved = place("saved");
        database.save(saved);
        expectFile(saved, states.at(-1)?.content);
        for (const at of [undefined, ...states.slice(-4, -1).map((state) => state.at)]) {
          copyState(database, { at, to: place("copy"), durable });
          const state = states.find((each) => each.at === at) ?? states.at(-1);
          expectFile(join(place("copy"), FILE), state?.content);
        }
        database.release(open);
      } finally {
        database.discard();
      }
    }),
    { numRuns: 15 },
  );
});

test.each(["with", "without"])("a durable copy of a database %s a log reaches the disk", (kind) => {
  const folder = join(dirname(dataFile()), "database");
  mkdirSync(folder);
  const target = { folder, durable: true, now: "", pages: PAGES };
  let database = new OpenDatabase(target);
  const connection = database.connect(PAGES);
  connection.own("create table t (x integer primary key, y)");
  database.release(connection);
  database.noteCommit("2026-03-01T12:00:00.000Z");
  if (kind === "without") {
    database.close(true);
    database = new OpenDatabase(target);
  }
  vi.mocked(fsyncSync).mockClear();
  copyState(database, { at: undefined, to: `${folder}-copy`, durable: true });
  expect(fsyncSync).toHaveBeenCalledOnce();
  database.discard();
});

test.each(["empty", "filled"])(
  "a copy has the rows of its beginning, whatever is written during it (log: %s)",
  (log) => {
    const folder = join(dirname(dataFile()), "database");
    mkdirSync(folder);
    const database = new OpenDatabase({ folder, durable: false, now: "", pages: PAGES });
    const write = (sql: string) => {
      const connection = database.connect(PAGES);
      connection.own(sql);
      database.release(connection);
      database.noteCommit("2026-03-01T12:00:00.000Z");
      database.settle();
    };
    write("create table t (x integer primary key, y)");
    for (let count = 0; count < 3; count += 1) write("insert into t (y) values (randomblob(5000000))");
    // A change of more than 1,000 pages is written back to the file at once.
    expect(statSync(join(folder, LOG)).size).toBe(0);
    if (log === "filled") write("insert into t (y) values ('in the log')");
    const before = JSON.stringify(rowsOf(folder));
    const to = `${folder}-copy`;
    let steps = 0;
    for (const _ of database.copyInSteps({ to, durable: false, pages: PAGES })) {
      steps += 1;
      write("update t set y = randomblob(length(y))");
      if (steps % 4 === 0) write("delete from t where x = (select max(x) from t)");
    }
    expect(steps).toBeGreaterThan(10);
    expect(JSON.stringify(rowsOf(to))).toBe(before);
    expect(JSON.stringify(rowsOf(folder))).not.toBe(before);
    write("insert into t (y) values (randomblob(5000000))");
    expect(statSync(join(folder, LOG)).size).toBe(0);
    database.discard();
  },
);

/** Returns the hashes of the rows of an undamaged database. */
function rowsOf(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, FILE), { readOnly: true });
  try {
    expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    return database.prepare("select x, hex(y) as y from t").all();
  } finally {
    database.close();
  }
}

function copyState(
  database: OpenDatabase,
  { at, to, durable }: { readonly at: string | undefined; readonly to: string; readonly durable: boolean },
): void {
  if (at !== undefined) database.copyPast({ at, to, durable });
  else for (const _ of database.copyInSteps({ to, durable, pages: PAGES }));
}
