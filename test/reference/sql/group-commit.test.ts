// @module-tag more
// @module-tag the-reference-api

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { commitsIn } from "../../../platform/reference/sql/engine/commit-list";
import { SqlFailure } from "../../../platform/reference/sql/engine/failure";
import type { JobResult, Rights, Statement } from "../../../platform/reference/sql/engine/jobs";
import { Pool } from "../../../platform/reference/sql/pool/pool";
import { seeded } from "../../full";
import { CLOSE, column, dataFile, ENDLESS, execute, pipeline, sqlWorld, stmt } from "./sql";

const REFUSAL = { reads: "no", writes: "no", endsTransaction: true };
const ALL: Rights = { reads: true, writes: true, refusal: REFUSAL, rules: null, attachable: {} };

/** Runs each job as the server does, with one process for all databases. */
function engine() {
  const pool = new Pool();
  onTestFinished(() => pool.killAll());
  const root = dirname(dataFile());
  let count = 0;
  return {
    folder(): string {
      count += 1;
      const folder = join(root, String(count));
      mkdirSync(folder);
      return folder;
    },
    run(
      folder: string,
      sent: Partial<Statement>,
      { pages = 1_000, ...rights }: Partial<Rights & { pages: number }> = {},
    ) {
      count += 1;
      const stream = { id: String(count), isBound: false };
      const target = { folder, now: "2026-03-01T12:00:00.000Z", ahead: undefined, pages, durable: false };
      const tasks = [{ type: "execute", stmt: sent }, { type: "close" }] as never;
      const job = { kind: "pipeline", ...target, stream: stream.id, isNew: true, rights: { ...ALL, ...rights }, tasks };
      return pool.run(job as never, stream);
    },
    script: (folder: string, text: string) =>
      pool.run({
        kind: "load",
        folder,
        now: "2026-03-01T12:00:00.000Z",
        pages: 1_000,
        durable: false,
        text,
      }),
    async dump(folder: string): Promise<string> {
      const target = { folder, now: "2026-03-01T12:00:00.000Z", pages: 1_000, durable: false };
      const to = join(folder, "dump.sql");
      writeFileSync(to, "");
      await pool.run({ kind: "dump", ...target, to });
      return readFileSync(to, "utf8");
    },
  };
}

const TABLES = `create table t (id integer primary key, x unique, y check (y < 100));
  create table keyed (x primary key, y) without rowid;
  create table parents (id integer primary key); insert into parents values (1), (2);
  create table children (id integer primary key, parent references parents on delete cascade);
  create table noted (id integer primary key autoincrement, x);
  create trigger noted after update on t begin insert into noted (x) values (old.x); end;
  create trigger stopped before insert on t when new.y > 90 begin
    select raise(rollback, 'rolled back') where new.y = 91; select raise(abort, 'aborted') where new.y = 92;
    select raise(fail, 'failed') where new.y = 93; select raise(ignore) where new.y = 94; end;
  create view seen as select id, x from t;
  create trigger seen instead of insert on seen begin insert into t (x) values (new.x); end;`;

const small = fc.integer({ min: 1, max: 9 });
const conflict = fc.constantFrom("", "or replace", "or ignore", "or fail", "or abort", "or rollback");
const change = fc.oneof(
  fc
    .tuple(conflict, small, small, fc.constantFrom(1, 2, 91, 92, 93, 94, 100))
    .map(([or, id, x, y]) => `insert ${or} into t values (${id}, ${x}, 1), (${id + 1}, ${x + 1}, ${y})`),
  fc.tuple(conflict, small, small).map(([or, x, y]) => `update ${or} t set x = ${x} where x in (${y}, ${y + 1})`),
  small.map((x) => `insert into t (x) values (${x}) on conflict do update set y = coalesce(y, 0) + 1 returning *`),
  small.map((x) => `insert into t (x, y) values (${x}, zeroblob(30000))`),
  small.map((x) => `insert into t (x) values (zeroblob(${x} * 10000))`),
  small.map((id) => `delete from t where id > ${id} returning id`),
  small.map((x) => `insert into keyed values (${x}, 1) on conflict do update set y = y + 1`),
  small.map((x) => `replace into keyed values (${x}, 2)`),
  small.map((id) => `insert into parents values (${id})`),
  small.map((id) => `insert into children (parent) values (${id})`),
  small.map((id) => `delete from parents where id = ${id}`),
  small.map((x) => `insert into seen (x) values (${x})`),
  fc.constantFrom(
    ...["insert into counted default values", "insert into noted (x) select last_insert_rowid() + changes()"],
    ...[
      "insert into noted (x) select count(*) from sqlite_temp_schema",
      "insert into noted (x) select total_changes()",
    ],
    ...["insert into noted (x) select group_concat(name) from pragma_table_list", "insert into nowhere values (1)"],
    ...["insert into t values (1", "insert into t (x) values (1); delete from t", "insert into t (x) values (?)"],
    ...["insert into noted (x) select count(*) from t", "delete from noted", "select count(*) from t", "vacuum"],
  ),
);
/** Parts of a schema with which changes must not be committed together, each with changes that would show it. */
const OBSTACLES = [
  {
    schema: "create table late (id integer primary key, parent references parents deferrable initially deferred);",
    changes: fc
      .tuple(fc.constantFrom("late (parent)", "parents"), small)
      .map(([into, id]) => `insert into ${into} values (${id})`),
  },
  {
    schema: `create virtual table words using fts5(x);
      create trigger words after insert on t begin insert into words values (new.x); end;`,
    changes: fc.tuple(fc.constantFrom("words", "t (x)"), small).map(([into, x]) => `insert into ${into} values (${x})`),
  },
  {
    schema: "create trigger last before insert on t begin insert into noted (x) values (last_insert_rowid()); end;",
    changes: small.map((x) => `insert into t (x) values (${x})`),
  },
  {
    schema: "create table counted (id integer primary key, x default (total_changes()));",
    changes: fc.constantFrom("insert into counted default values", "insert into parents values (null)"),
  },
];

const rights = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  fc.constantFrom({ writes: false }, { reads: false }, { pages: 25 }, { rules: [{ a: ["data_add"] }] }),
);

/** Runs the same changes together and one by one, and compares their results and the rows. */
function comparing() {
  const { folder, run, script, dump } = engine();
  const commits = { together: 0, single: 0 };
  const outcomeOf = (running: Promise<JobResult>): Promise<unknown> =>
    running.then(
      ({ texts, read, written, open, bound, bytes }) => [
        texts.map((text) => text.replace(/"query_duration_ms":[\d.]+/g, "")),
        ...[read, written, open, bound, bytes > 0],
      ],
      (thrown) => (thrown instanceof SqlFailure ? [thrown.code, thrown.message] : Promise.reject(thrown)),
    );
  const compare = async (schema: string, jobs: readonly (readonly [string, object?])[]): Promise<void> => {
    const [together, single] = [folder(), folder()];
    for (const each of [together, single]) await script(each, schema);
    const outcomes: unknown[] = [];
    for (const [sql, allowed] of jobs) outcomes.push(await outcomeOf(run(single, { sql }, allowed)));
    const compared = await Promise.all(jobs.map(([sql, allowed]) => outcomeOf(run(together, { sql }, allowed))));
    expect(compared).toEqual(outcomes);
    expect(await dump(together)).toEqual(await dump(single));
    commits.together += commitsIn(together).length;
    commits.single += commitsIn(single).length;
  };
  return { compare, commits };
}

test("changes of different streams have the same results together as one by one", async () => {
  const { compare, commits } = comparing();
  const jobs = fc.array(fc.tuple(change, rights), { minLength: 2, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(jobs, (jobs) => compare(TABLES, jobs)),
    { numRuns: 150, ...seeded },
  );
  expect(commits.together).toBeLessThan(commits.single * 0.9);
});

test("changes have the same results together if the schema shows when or how they are committed", async () => {
  const { compare, commits } = comparing();
  const scenario = fc
    .constantFrom(...OBSTACLES)
    .chain(({ schema, changes }) =>
      fc.tuple(fc.constant(schema), fc.array(fc.tuple(changes), { minLength: 8, maxLength: 16 })),
    );
  await fc.assert(
    fc.asyncProperty(scenario, ([schema, jobs]) => compare(TABLES + schema, jobs)),
    { numRuns: 60, ...seeded },
  );
  expect(commits.together).toBe(commits.single);
});

test("only an endless change fails, and each change that is waiting with it is made once", async () => {
  const { folder, run, script, dump } = engine();
  const orders = folder();
  await script(orders, "create table t (x);");
  const insert = (x: number) => run(orders, { sql: `insert into t values (${x})` });
  const before = Array.from({ length: 10 }, (_, x) => insert(x));
  const endless = expect(run(orders, { sql: `insert into t ${ENDLESS}` })).rejects.toMatchObject({
    code: "SQLITE_INTERRUPT",
  });
  await Promise.all([endless, ...before, ...Array.from({ length: 10 }, (_, x) => insert(10 + x))]);
  const rows = (await dump(orders)).split("\n").filter((line) => line.startsWith("INSERT"));
  expect(rows.map((row) => Number(/(\d+)\);$/.exec(row)?.[1])).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, x) => x),
  );
});

test("changes that wait for a slow one, or for another stream's transaction, are made once", async () => {
  const { database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const slow = ENDLESS.replace("from c)", "from c limit 2000000)");
  const insert = (count: number) => Array.from({ length: count }, () => execute(orders, "insert into t values (1)"));
  // On a busy machine, the slow statement may be stopped.
  const slowly = execute(orders, `insert into t ${slow}`).then(
    () => 1,
    () => 0,
  );
  await Promise.all([...insert(5), slowly, ...insert(5)]);
  const open = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values (1)")]);
  const waiting = insert(10);
  await pipeline(orders, [stmt("commit"), CLOSE], open.baton);
  await Promise.all(waiting);
  expect(await column(orders, "select count(*) from t")).toEqual([String(21 + (await slowly))]);
});

test("a copy as of a moment has the changes that were committed together before it, and no later ones", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const moments: string[] = [];
  for (let moment = 1; moment <= 4; moment += 1) {
    await api.advance(60);
    await Promise.all(Array.from({ length: 8 }, () => execute(orders, `insert into t values (${moment})`)));
    moments.push((await api.clock.now()).toISOString());
  }
  for (const [index, timestamp] of moments.entries()) {
    const copy = await database(`copy-${index}`, { seed: { type: "database", name: "orders", timestamp } });
    expect(await column(copy, "select count(*) || '/' || max(x) from t")).toEqual([`${8 * (index + 1)}/${index + 1}`]);
  }
});
