import { expression } from "./expressions";
import {
  type BatchStep,
  CLOSE,
  execute,
  type HranaValue,
  type PipelineRequest,
  type Statement,
  type Turn,
} from "./protocol";
import type { Random } from "./random";

const SCHEMA = [
  `create table items (id integer primary key, n integer, r real, s text default 'none', b blob, u text unique,
    c integer check (c is null or c < 1000))`,
  "create table pairs (a text, b integer, v numeric default 7, primary key (a, b)) without rowid",
  `create table notes (id integer primary key autoincrement, item integer references items on delete cascade,
    note text collate nocase not null default '', long integer generated always as (length(note)) stored)`,
  "create table docs (id integer primary key, doc text, at text)",
  "create table exact (id integer primary key, i int, t text, x any, check (i <> 13)) strict",
  `create table places (id integer primary key, at F32_BLOB(2), angle real generated always as
    (vector_distance_cos(at, '[1,0]')) stored)`,
  "create table log (what text, id integer)",
  "create index items_by_n on items (n, s)",
  "create view seen as select id, n, s, coalesce(r, 0) as r from items where n is not null",
  `create trigger logged after insert on notes begin insert into log values ('note', new.id); end`,
  `create trigger guarded before update on docs when new.doc = 'stop' begin select raise(abort, 'guarded'); end`,
];

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  items: ["id", "n", "r", "s", "b", "u", "c"],
  pairs: ["a", "b", "v"],
  notes: ["id", "item", "note", "long"],
  docs: ["id", "doc", "at"],
  exact: ["id", "i", "t", "x"],
  log: ["what", "id"],
  seen: ["id", "n", "s", "r"],
};
const WRITABLE: Readonly<Record<string, readonly string[]>> = { ...COLUMNS, notes: ["id", "item", "note"] };
const TABLES = ["items", "items", "pairs", "notes", "docs", "exact"];

const VALUES = [
  ...["null", "1", "2", "3", "5", "8", "13", "999", "1000", "-4", "2.5", "0.1", "'x'", "'y'", "'Y'", "'12'", "'3.0'"],
  ...["x'01'", "''", "9223372036854775807", "'stop'", `'{"a":[1,2]}'`, "'2024-02-29'", "true"],
];

const NAMES = new Set([...TABLES, ...Object.values(COLUMNS).flat(), "i.id", "i.n", "x.id", "x.note", "x.item"]);

/** Without the highest integer, after which SQLite chooses ids at random. */
const IDS = ["null", "1", "2", "3", "5", "8", "13", "999", "-4", "2.5", "'x'", "'12'"];

/** Statements that fail in both servers. */
const FAILING = [
  ...["select * from nowhere", "select nope from items", "insert into items (id) values (1), (1)", "select 1 +"],
  ...["insert into items values (1)", "frobnicate", "select nofunction(1)", "select abs()", "select 'open"],
  ...["select * from items where", "drop table nowhere", "create table items (x)", "insert into seen values (1)"],
  ...["select abs(-9223372036854775808)", "select json('nope')", "select json_extract('{}', 'bad')", "commit"],
  ...["rollback", "release nowhere", "insert into notes (note) values (null)", "update exact set i = 'no'"],
  ...["insert into exact (i) values (13)", "insert into notes (item) values (123456)", "select (select 1, 2)"],
  ...["select count(*) from items group by nope", "select 1 union select 1, 2", "insert into notes (long) values (1)"],
  ...["select max(sum(n)) from items", "select * from items limit 'x'", "alter table items drop column id"],
  ...["select 1 order by 2", "select n from items, docs where id = 1", "with c as (select 1) select * from d"],
  ...[
    "select vector('[1')",
    "select vector_distance_l2('[1]', '[1,2]')",
    "insert into items (b) values (vector(null))",
  ],
  ...['select "no such"', 'select * from docs where doc = ""', "update items set nope = 1", "drop trigger nowhere"],
  ...["create index items_by_n on docs (at)", "alter table docs add column at", "alter table docs drop column nope"],
  ...[
    "select * from items, items",
    "delete from docs order by id",
    "create trigger logged after insert on docs begin select 1; end",
  ],
];

/** Alterations of columns. The second half fails in both servers. */
const ALTERATIONS = [
  ...["items alter column s to s text default 'some'", "items alter column c to c integer check (c < 2000)"],
  ...["items alter column n to n text", "items alter column r to r", "items alter column u to u integer unique"],
  ...["docs alter column doc to doc text not null default 'a, b'", "docs alter column doc to doc text"],
  ...["main.docs alter column at to at integer check (at <> 13)", '"docs" alter column [at] to [at] text'],
  ...["notes alter column item to item integer", "notes alter column item to item integer references items"],
  ...["exact alter column x to x text", "exact alter column x to x any default 7", "pairs alter column v to v real"],
  ...["pairs alter column b to b integer default 3", "notes alter column note to note text not null default 'no'"],
  ...[
    "notes alter column long to long integer as (length(note) + 1) stored",
    "docs alter column id to id integer primary key",
  ],
  ...["items alter column u to u text", "items alter column s to s text unique", "items alter column id to id integer"],
  ...[
    "notes alter column long to long integer",
    "docs alter column at to at text as ('x')",
    "docs alter column doc to other",
  ],
  ...["docs alter column nope to nope text", "seen alter column n to n integer", "nowhere alter column a to a text"],
  ...["docs alter column at to at text, more text", "docs alter column at to at text not", "docs alter column at"],
  ...["pairs alter column a to a text primary key", "sqlite_schema alter column sql to sql text"],
].map((rest) => `alter table ${rest}`);

/** Statements that the servers are known to answer differently. */
const DIFFERENT = [
  ...["analyze", "vacuum", "create temp table hidden (x)", "pragma database_list"],
  ...["select iif(1, 2)", "select concat_ws('-', 1, '', 2)", "select ln(-1)", "select 1_000", "pragma writable_schema"],
];

/** Returns the turns of a scenario with about `length` statements. */
export function* scenario(random: Random, length: number): Iterable<Turn> {
  yield { requests: [{ type: "sequence", sql: SCHEMA.join(";\n") }, CLOSE] };
  yield { requests: [...random.some(4, 8, () => execute(insert(random))), CLOSE] };
  for (let sent = 0; sent < length; ) {
    const turns = group(random);
    yield* turns;
    sent += turns.length;
  }
  // What the scenario has written.
  yield { requests: [...Object.entries(COLUMNS).map(([name, columns]) => execute(all(name, columns))), CLOSE] };
}

const all = (table: string, columns: readonly string[]): string =>
  `select ${columns.join(", ")} from ${table} order by ${columns.map((_, index) => index + 1).join(", ")}`;

function group(random: Random): Turn[] {
  const kind = random.below(100);
  if (kind < 50) return [{ requests: [single(random), ...(random.chance(30) ? [single(random)] : []), CLOSE] }];
  if (kind < 65) return transaction(random);
  if (kind < 80) return [{ requests: [{ type: "batch", batch: { steps: batch(random) } }, CLOSE] }];
  if (kind < 86) return [{ cursor: batch(random) }, { requests: [CLOSE] }];
  if (kind < 91) return sequence(random);
  if (kind < 96) return [{ requests: [...random.some(1, 3, () => described(random)), CLOSE] }];
  const sql = select(random);
  return [
    {
      requests: [
        { type: "store_sql", sql_id: 1, sql },
        { type: "execute", stmt: { sql_id: 1 } },
        { type: "describe", sql_id: 1 },
        { type: "close_sql", sql_id: 1 },
        CLOSE,
      ],
    },
  ];
}

const single = (random: Random): PipelineRequest => {
  if (random.chance(15)) return bound(random);
  return execute(statement(random), random.chance(5) ? { want_rows: random.chance(50) } : {});
};

const described = (random: Random): PipelineRequest => ({
  type: "describe",
  sql: random.pick([
    () => statement(random),
    () => `explain query plan ${select(random)}`,
    () => "select ?, :a, @b, $c, ?5",
    () => "insert into items (n) values (:n) returning id, n",
    () => random.pick(FAILING),
  ])(),
});

function transaction(random: Random): Turn[] {
  const begin = random.pick([
    "begin",
    "begin immediate",
    "begin deferred",
    "begin exclusive",
    "BEGIN TRANSACTION READONLY",
  ]);
  const writes = !begin.includes("READONLY");
  const inside = (): PipelineRequest => {
    const chosen = random.below(10);
    if (chosen === 0) return { type: "get_autocommit" };
    if (writes && chosen === 1) return execute(random.pick(["savepoint a", "rollback to a", "release a", "begin"]));
    return writes ? single(random) : execute(select(random));
  };
  return [
    { requests: [execute(begin), ...random.some(0, 3, inside)] },
    ...random.some(0, 2, (): Turn => ({ requests: random.some(1, 3, inside) })),
    { requests: [...(random.chance(85) ? [execute(random.pick(["commit", "rollback", "end"]))] : []), CLOSE] },
  ];
}

function batch(random: Random): BatchStep[] {
  const condition = (before: number): object => {
    const step = random.below(before);
    return random.pick([
      { type: "ok", step },
      { type: "error", step },
      { type: "not", cond: { type: "ok", step } },
      { type: "and", conds: [{ type: "ok", step }, { type: "is_autocommit" }] },
      { type: "or", conds: [{ type: "error", step }, { type: "is_autocommit" }] },
    ]);
  };
  return random
    .some(1, 5, () => 0)
    .map((_, index) => ({
      stmt: { sql: statement(random) },
      ...(index > 0 && random.chance(50) && { condition: condition(index) }),
    }));
}

function sequence(random: Random): Turn[] {
  const parts = random.some(1, 4, () => write(random));
  if (random.chance(5)) return [{ requests: [{ type: "sequence", sql: `${parts.join("; ")}; selec` }, CLOSE] }];
  return [{ requests: [{ type: "sequence", sql: `${parts.join("; ")}${random.chance(50) ? ";" : ""}` }, CLOSE] }];
}

function statement(random: Random): string {
  const kind = random.below(100);
  if (kind < 55) return select(random);
  if (kind < 58) return random.pick(ALTERATIONS);
  if (kind < 85) return write(random);
  if (kind < 91) return broken(random);
  if (kind < 96) return random.pick(FAILING);
  if (kind < 97) return random.pick(DIFFERENT);
  return random.pick([
    ...[
      "create table if not exists more (x, y)",
      "drop table if exists more",
      "create index if not exists m on docs (at)",
    ],
    ...["drop index if exists m", "alter table log rename column what to what", "reindex", "pragma user_version"],
    ...[
      "pragma table_info(items)",
      "pragma foreign_key_list(notes)",
      "pragma foreign_key_check",
      "pragma index_list(items)",
    ],
    ...["select changes(), last_insert_rowid(), total_changes()", "select sql from sqlite_schema order by name"],
  ]);
}

/** Names and calls that are wrong, or wrong at most places. */
const WRONG = [
  ...["nope", '"No such"', "i.nope", "nope.id", '"nope"', "id", "nofn(n)", "abs()", "count(*)", "max(n, sum(n))"],
  ...["row_number()", "(1, 2)", "likelihood(n, 2)", "date(n) over ()", "(select 1, 2)", "sum(id)"],
];

/** Returns a statement in which one column or table has been replaced, so that it fails in most cases. */
function broken(random: Random): string {
  const sql = random.chance(60) ? select(random) : write(random);
  const names = [...sql.matchAll(/'[^']*'|"[^"]*"|\b(?:[inx]\.)?[a-z]+\b(?!\()/g)].filter(([name]) => NAMES.has(name));
  // SQLite 3.45 does not look at what is compared with an empty list.
  if (names.length === 0 || sql.includes("in ()")) return "select nope";
  const { 0: name, index } = random.pick(names);
  return `${sql.slice(0, index)}${random.pick(WRONG)}${sql.slice(index + name.length)}`;
}

function bound(random: Random): PipelineRequest {
  const value = (): HranaValue =>
    random.pick<HranaValue>([
      { type: "null" },
      { type: "integer", value: "7" },
      { type: "integer", value: "-9223372036854775808" },
      { type: "float", value: 2.5 },
      { type: "text", value: "x" },
      { type: "text", value: "zoë \u{1f600}" },
      { type: "blob", base64: "AP8" },
    ]);
  const named = (names: readonly string[]): Statement => ({
    named_args: names.map((name) => ({ name, value: value() })),
  });
  return random.pick<() => PipelineRequest>([
    () => execute("select ?, ?, typeof(?)", { args: [value(), value(), value()] }),
    () => execute("select ?2, ?1, ?2", { args: [value(), value()] }),
    () => execute("select :a, :b, :a", named([":a", ":b"])),
    () => execute("select :a, @b, $c", named(["a", "b", "c"])),
    () => execute("select :a, @b, $c", named([":a", "@b", "$c"])),
    () => execute("select ?, ?", { args: [value()] }),
    () => execute("select ?", { args: [value(), value()] }),
    () => execute("select :a", named([":b"])),
    () => execute("select :a", named(["@a"])),
    () => execute("select :a, @b", { args: [value(), value()] }),
    () => execute("select ?, :a", { args: [value()], ...named(["a"]) }),
    () => execute("insert into items (n, s, b) values (?, ?, ?)", { args: [value(), value(), value()] }),
    () => execute("insert into pairs values (:a, :b, :v)", named(["a", "b", "v"])),
    () => execute("update items set s = :s where n = :n", named(["s", "n"])),
    () => execute("select id, n from items where n = ? or s = ? order by id", { args: [value(), value()] }),
  ])();
}

function write(random: Random): string {
  const table = random.pick(TABLES);
  const columns = WRITABLE[table] ?? [];
  const where = (): string => `where ${expression(random, columns, 1 + random.below(2))}`;
  switch (random.below(6)) {
    case 0:
    case 1:
    case 2:
      return insert(random);
    case 3:
    case 4: {
      const set = `${random.pick(columns.filter((name) => name !== "id"))} = ${random.chance(50) ? random.pick(VALUES) : expression(random, columns, 1)}`;
      return `update ${random.pick(["", "", "or ignore ", "or replace "])}${table} set ${set} ${where()}`;
    }
    default:
      return random.chance(80)
        ? `delete from ${table} where ${random.pick(columns)} = ${random.pick(VALUES)}`
        : `delete from ${table} ${where()} returning ${random.pick(columns)} is null`;
  }
}

function insert(random: Random): string {
  const table = random.pick(TABLES);
  const columns = (WRITABLE[table] ?? []).filter((name) => (name === "id" ? random.chance(25) : random.chance(75)));
  if (columns.length === 0) return `insert into ${table} default values`;
  const or = random.pick(["", "", "", "or ignore ", "or replace ", "or abort "]);
  const into = `insert ${or}into ${table} (${columns.join(", ")})`;
  const row = (): string => columns.map((name) => random.pick(name === "id" ? IDS : VALUES)).join(", ");
  if (random.chance(10)) return `${into} select ${row()} where ${random.pick(["0", "1"])}`;
  const values = `${into} values ${random.some(1, 3, () => `(${row()})`).join(", ")}`;
  if (random.chance(10)) return `${values} on conflict do nothing`;
  return random.chance(15) ? `${values} returning ${columns.join(", ")}` : values;
}

function select(random: Random): string {
  const table = random.pick([...TABLES, "log", "seen"]);
  const columns = COLUMNS[table] ?? [];
  const value = (depth = 2): string => expression(random, columns, depth);
  const order = (count: number): string =>
    `order by ${Array.from({ length: count }, (_, index) => `${index + 1}${random.pick(["", "", " desc", " nulls last"])}`).join(", ")}`;
  switch (random.below(9)) {
    case 0:
    case 1: {
      const values = random.some(1, 4, () => expression(random, [], 3));
      return `select ${values.map((each, index) => (random.chance(30) ? `${each} as "column ${index}"` : each)).join(", ")}`;
    }
    case 2:
      return `select ${value()}, ${columns.join(", ")} from ${table} where ${value()} ${order(columns.length + 1)} limit ${1 + random.below(9)} offset ${random.below(3)}`;
    case 3: {
      const by = value(1);
      const aggregate = random.pick([
        "sum(n)",
        "avg(n)",
        "count(r)",
        "max(s)",
        "min(b)",
        "total(n)",
        "group_concat(n)",
      ]);
      const counted = table === "items" || table === "seen" ? aggregate.replace("(b)", "(s)") : "count(*)";
      return `select ${by}, count(*), ${counted} from (select * from ${table} order by 1) group by 1 having ${random.pick(["1", "count(*) > 1", "count(*) < 3"])} ${order(3)}`;
    }
    case 4: {
      const join = random.pick(["join", "left join", "full join", "right join"]);
      return `select i.id, i.n, x.id, x.note, i.s || x.note from items i ${join} notes x on x.item = i.id and ${expression(random, ["i.n", "x.note", "i.s"], 1)} ${order(5)}`;
    }
    case 5: {
      const limit = 1 + random.below(12);
      return `with recursive c(x, y) as (select 1, ${random.pick(["1", "'a'", "0.5"])} union all select x + 1, ${random.pick(["y + x", "y || x", "x * 2"])} from c limit ${limit}) select c.x, c.y, ${expression(random, ["x", "y"], 1)} from c order by 1`;
    }
    case 6: {
      const window = random.pick([
        "row_number() over w",
        "rank() over w",
        "dense_rank() over w",
        "lag(n, 1, 'none') over w",
        "lead(s) over w",
        "sum(n) over (w rows between 1 preceding and current row)",
        "count(*) over (partition by s)",
        "first_value(n) over w",
        "nth_value(n, 2) over w",
        "ntile(3) over w",
        "percent_rank() over w",
        "group_concat(s, '-') over (w range between unbounded preceding and current row)",
      ]);
      return `select id, n, s, ${window} from items window w as (order by n, id) order by 1`;
    }
    case 7: {
      const other = random.pick(TABLES);
      const operator = random.pick(["union", "union all", "intersect", "except"]);
      return `select ${value(1)} from ${table} ${operator} select ${expression(random, COLUMNS[other] ?? [], 1)} from ${other} order by 1`;
    }
    default: {
      const inner = expression(random, ["n", "s"], 1);
      return `select id, ${expression(random, ["id", "doc", "at"], 1)} from docs where exists (select 1 from items where n > ${random.below(9)}) or id in (select id from items where ${inner}) order by 1, 2`;
    }
  }
}
