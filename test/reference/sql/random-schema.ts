import fc from "fast-check";

/** A part of a random schema: the SQL that creates and fills it, and queries whose answers a dump must keep. */
export interface SchemaPart {
  readonly sql: readonly string[];
  readonly queries: readonly string[];
  /** Changes that must have the same effect on a copy. */
  readonly changes: readonly string[];
  /** Whether the `sqlite3` command needs a version, or a module, that some machines lack. */
  readonly needs?: "contentless_delete" | "geopoly";
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const NAMES = ["plain", "select", "it's", 'dou"ble', "two words", "ünï", "a;b", "a--b", "a/*b*/", "x_data", "(", "%s"];

const WORDS = [
  "apple",
  "Äpfel",
  "running",
  "ran",
  "it's",
  "x\u0000y",
  "日本",
  "zebra\nline",
  "o''o",
  "apples",
  "12",
  "",
];

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(" "));

const textLiteral = (value: string): string =>
  value.includes("\u0000") ? `cast(x'${Buffer.from(value).toString("hex")}' as text)` : literal(value);

/** Values of SQL as expressions. */
const value = fc.oneof(
  text.map(textLiteral),
  fc.constantFrom(
    ...[
      "null",
      "9e999",
      "-9e999",
      "9e999 - 9e999",
      "-0.0",
      "0.0",
      "1e300",
      "5e-324",
      "1.0",
      "0.1",
      "123456789012345680.0",
    ],
    ...["9223372036854775807", "-9223372036854775808", "9007199254740993", "0", "x''", "x'00ff'", "''"],
    ...["cast(x'ff61' as text)", "cast(x'6100ff' as text)", "cast(x'efbfbd' as text)", "'\uFEFFbom'", "'a''b;\r\n--'"],
  ),
  fc.maxSafeInteger().map(String),
  // Others can lose their last bit in the `sqlite3` command, which reads them inexactly before SQLite 3.43.
  fc.integer().map((each) => `${each} / 8.0`),
  fc.uint8Array({ maxLength: 20 }).map((each) => `x'${Buffer.from(each).toString("hex")}'`),
);

const rows = <T>(row: fc.Arbitrary<T>) => fc.array(row, { minLength: 1, maxLength: 12 });
const bool = fc.boolean();

type Making = (name: string, at: number) => SchemaPart;

const table: fc.Arbitrary<Making> = fc
  .record({
    rows: rows(fc.tuple(value, value, value, value, value)),
    gap: bool,
    column: fc.constantFrom(...NAMES, "rowid"),
    kind: fc.nat(5),
  })
  .map(({ rows, gap, column, kind }) => (name) => {
    const [t, c] = [identifier(name), identifier(column)];
    const key = [
      "",
      "id integer primary key, ",
      "id integer primary key desc, ",
      "_rowid_ integer, oid text, ",
      "id integer primary key autoincrement, ",
      "id text unique, ",
    ][kind];
    const rowid = kind === 3 ? "rowid" : "_rowid_";
    return {
      sql: [
        `create table ${t} (${key}${c} integer, b text default 'it''s', r real, n numeric, x)`,
        ...rows.map((row) => `insert into ${t} (${c}, b, r, n, x) values (${row.join()})`),
        ...(gap && column !== "rowid" ? [`delete from ${t} where ${rowid} in (1, 3)`] : []),
        `create index ${identifier(`${name} partial`)} on ${t} (${c} desc, r) where x is not null`,
        `create index ${identifier(`${name} expression`)} on ${t} (lower(b) collate nocase, abs(r))`,
      ],
      queries: [
        `select ${kind === 3 && column === "rowid" ? "1" : rowid}, * from ${t} order by 1`,
        `select typeof(${c}), typeof(b), hex(b), typeof(r), typeof(n), hex(x) from ${t} order by 1, 2, 3, 4, 5, 6`,
        `select count(*) from ${t} where lower(b) = 'apple'`,
      ],
      changes: [`insert into ${t} (b, x) values ('new', 'new')`],
    };
  });

const strict: fc.Arbitrary<Making> = rows(fc.tuple(fc.maxSafeInteger(), text, fc.integer(), value)).map(
  (rows) => (name) => {
    const t = identifier(name);
    return {
      sql: [
        `create table ${t} (i int, t text not null, r real, b blob, x any) strict`,
        ...rows.map(
          ([i, each, real, any]) =>
            `insert into ${t} values (${i}, ${textLiteral(each)}, ${real} / 8.0, x'01', ${any})`,
        ),
      ],
      queries: [`select rowid, *, typeof(x), hex(x) from ${t} order by rowid`],
      changes: [`insert into ${t} values (1, '', 1, x'', '1')`],
    };
  },
);

const withoutRowid: fc.Arbitrary<Making> = rows(fc.tuple(value, value)).map((rows) => (name) => {
  const t = identifier(name);
  return {
    sql: [
      `create table ${t} (v, k collate nocase, primary key (k desc, v)) without rowid`,
      ...rows.map(([k, v]) => `insert or ignore into ${t} (k, v) values (ifnull(${k}, 1), ifnull(${v}, 2))`),
    ],
    queries: [`select *, hex(k), hex(v) from ${t}`],
    changes: [`insert into ${t} values ('changed', 'row')`],
  };
});

const generated: fc.Arbitrary<Making> = rows(value).map((rows) => (name) => {
  const t = identifier(name);
  return {
    sql: [
      `create table ${t} (v generated always as (typeof(a)) virtual, a, s as (iif(typeof(a) = 'text', a || '!', typeof(a))) stored, z as (length(s)) unique on conflict ignore, b)`,
      ...rows.map((a) => `insert into ${t} (a, b) values (${a}, ${a})`),
    ],
    queries: [`select rowid, * from ${t} order by rowid`],
    changes: [`insert into ${t} (a) values ('a longer text than the others')`],
  };
});

const related: fc.Arbitrary<Making> = rows(value).map((rows) => (name, at) => {
  const [t, log, v, w] = [name, `${name} log`, `${name} view`, `${name} above`].map(identifier);
  return {
    sql: [
      `create table ${t} (id integer primary key autoincrement, a)`,
      `create table ${log} (what, id references ${t} deferrable initially deferred)`,
      `create trigger "after${at}" after insert on ${t} begin insert into ${log} values (new.a || ';', new.id); select 1; end`,
      // Refers to a view that is created later.
      `create view ${w} as select a, count(*) as n from ${v} group by a`,
      `create view ${v} (a) as select quote(a) from ${t} where id > 0`,
      `create trigger "instead${at}" instead of insert on ${v} begin insert into ${t} (a) values (new.a); end`,
      ...rows.map((a) => `insert into ${t} (a) values (${a})`),
      `delete from ${log} where id = (select max(id) from ${t})`,
      `delete from ${t} where id = (select max(id) from ${t})`,
    ],
    queries: [
      `select * from ${t}`,
      `select * from ${log} order by rowid`,
      `select * from ${v}`,
      `select * from ${w} order by a`,
    ],
    changes: [`insert into ${v} values ('by a trigger')`, `insert into ${t} (a) values (null)`],
  };
});

const fts5: fc.Arbitrary<Making> = fc
  .record({
    rows: rows(fc.tuple(text, text)),
    content: fc.constantFrom("own", "none", "deletable", "external", "external view"),
    options: fc.subarray(["prefix='1 3'", "columnsize=0"]),
    detail: fc.constantFrom("", "detail=none", "detail=column", "detail=full"),
    tokenize: fc.constantFrom(
      "",
      "tokenize='porter ascii'",
      `tokenize="unicode61 remove_diacritics 0 tokenchars '-_'"`,
      "tokenize='trigram'",
    ),
    rank: bool,
    settings: fc.subarray(["'automerge', 2", "'pgsz', 64", "'crisismerge', 3"]),
    isChanged: bool,
    isOptimized: bool,
  })
  .map(({ rows, content, options, detail, tokenize, rank, settings, isChanged, isOptimized }) => (name, at) => {
    const [f, base, v] = [name, `${name} base`, `${name} source`].map(identifier) as [string, string, string];
    const isExternal = content.startsWith("external");
    const kept = content === "deletable" ? options.filter((each) => each !== "columnsize=0") : options;
    const all = [
      "a",
      "b",
      ...({ own: [], none: ["content=''"], deletable: ["content=''", "contentless_delete=1"] }[content as "own"] ?? [
        `content=${literal(name + (content === "external" ? " base" : " source"))}`,
        "content_rowid='id'",
      ]),
      ...kept,
      ...[detail, tokenize].filter((each) => each !== ""),
    ];
    const insert = (id: number, [a, b]: readonly [string, string]) =>
      isExternal
        ? [
            `insert into ${base} values (${id}, ${textLiteral(a)}, ${textLiteral(b)})`,
            `insert into ${f} (rowid, a, b) values (${id}, ${textLiteral(a)}, ${textLiteral(b)})`,
          ]
        : [`insert into ${f} (rowid, a, b) values (${id}, ${textLiteral(a)}, ${textLiteral(b)})`];
    const deletes =
      { own: [`delete from ${f} where rowid = 7`], deletable: [`delete from ${f} where rowid = 7`] }[
        content as "own"
      ] ?? [];
    const vocabulary = (["row", "col", "instance"] as const).map(
      (kind) => [kind, identifier(`words ${at} ${kind}`)] as const,
    );
    const terms = ["apple", "app*", "ran", "run*", "ä*", "zebra", "12", "日本"];
    return {
      sql: [
        ...(isExternal
          ? [`create table ${base} (id integer primary key, a, b)`, `create view ${v} as select id, a, b from ${base}`]
          : []),
        `create virtual table ${f} using fts5(${all.join(", ")})`,
        ...settings.map((each) => `insert into ${f} (${f}, rank) values (${each})`),
        ...(rank ? [`insert into ${f} (${f}, rank) values ('rank', 'bm25(10.0, 5.0)')`] : []),
        ...vocabulary.map(
          ([kind, words]) => `create virtual table ${words} using fts5vocab(${literal(name)}, ${kind})`,
        ),
        ...rows.flatMap((row, index) => insert(7 * (index + 1), row)),
        ...(isChanged ? deletes : []),
        ...(isOptimized ? [`insert into ${f} (${f}) values ('optimize')`] : []),
      ],
      queries: [
        ...terms.map(
          (term) =>
            `select rowid, rank, * from ${f} where ${f} match '"${term.replace("*", "")}"${term.endsWith("*") ? " *" : ""}' order by rowid`,
        ),
        `select rowid, bm25(${f}, 1.0, 2.0) from ${f} where ${f} match 'apple' order by rowid`,
        `select rowid, a, b from ${f} order by rowid`,
        ...vocabulary.map(([, words]) => `select * from ${words}`),
      ],
      changes: [
        ...insert(1000, ["apple changed", "zebra"]),
        ...deletes,
        ...(content === "own" ? [`insert into ${f} (${f}) values ('integrity-check')`] : []),
      ],
      ...(content === "deletable" && { needs: "contentless_delete" as const }),
    };
  });

const fts4: fc.Arbitrary<Making> = fc
  .record({
    rows: rows(fc.tuple(text, text)),
    module: fc.constantFrom("fts3", "fts4"),
    content: fc.constantFrom("own", "none", "external"),
    options: fc.subarray(["matchinfo=fts3", 'prefix="1,2"', "order=desc", "notindexed=b", 'languageid="lid"']),
    isMerged: bool,
  })
  .map(({ rows, module, content, options, isMerged }) => (name, at) => {
    const [f, base] = [name, `${name} base`].map(identifier) as [string, string];
    const isPlain = module === "fts3" || content === "own";
    const all = [
      ...["a", "b", "tokenize=porter"],
      ...(module === "fts3" ? [] : options),
      ...(isPlain ? [] : [content === "none" ? "content=''" : `content=${identifier(`${name} base`)}`]),
    ];
    const words = identifier(`terms ${at}`);
    return {
      sql: [
        ...(!isPlain && content === "external" ? [`create table ${base} (docid integer primary key, a, b, lid)`] : []),
        `create virtual table ${f} using ${module}(${all.join(", ")})`,
        `create virtual table ${words} using fts4aux(${f})`,
        ...rows.flatMap(([a, b], index) => [
          ...(!isPlain && content === "external"
            ? [`insert into ${base} values (${index * 2 + 1}, ${textLiteral(a)}, ${textLiteral(b)}, 0)`]
            : []),
          `insert into ${f} (docid, a, b) values (${index * 2 + 1}, ${textLiteral(a)}, ${textLiteral(b)})`,
        ]),
        ...(isPlain ? [`delete from ${f} where docid = 3`] : []),
        ...(isMerged
          ? [`insert into ${f} (${f}) values ('automerge=2')`, `insert into ${f} (${f}) values ('optimize')`]
          : []),
      ],
      queries: [
        ...["apple", "run*", "zebra"].map(
          (term) => `select docid, hex(matchinfo(${f}, 'pcnx')) from ${f} where ${f} match '${term}' order by docid`,
        ),
        ...(isPlain || content === "external" ? [`select docid, * from ${f} order by docid`] : []),
        `select * from ${words}`,
      ],
      changes: isPlain ? [`insert into ${f} (docid, a, b) values (1001, 'apple changed', 'b')`] : [],
    };
  });

const rtree: fc.Arbitrary<Making> = fc
  .record({ module: fc.constantFrom("rtree", "rtree_i32"), count: fc.constantFrom(0, 3, 200), auxiliary: bool, value })
  .map(({ module, count, auxiliary, value }) => (name) => {
    const r = identifier(name);
    const columns = `id, x0, x1, y0, y1${auxiliary ? ", +label text, +extra" : ""}`;
    return {
      sql: [
        `create virtual table ${r} using ${module}(${columns})`,
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
          insert into ${r} select i, i * 7 % 100, i * 7 % 100 + 3, i * 13 % 90, i * 13 % 90 + 5${auxiliary ? `, 'l' || i, ${value}` : ""} from n where i <= ${count}`,
        `delete from ${r} where id % 5 = 0`,
      ],
      queries: [
        `select *${auxiliary ? ", hex(extra)" : ""} from ${r} order by id`,
        `select id from ${r} where x0 > 20 and x1 < 60 and y1 > 30 order by id`,
        `select rtreecheck(${literal(name)})`,
      ],
      changes: [`insert into ${r} (id, x0, x1, y0, y1) values (5000, 30, 31, 40, 41)`, `delete from ${r} where id = 1`],
    };
  });

const geopoly: fc.Arbitrary<Making> = fc.constantFrom(1, 60).map((count) => (name) => {
  const g = identifier(name);
  return {
    sql: [
      `create virtual table ${g} using geopoly(label, other)`,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        insert into ${g} (_shape, label) select geopoly_regular(i * 3, i * 5, 4, 6), 'l' || i from n`,
    ],
    queries: [
      `select rowid, geopoly_json(_shape), label, other from ${g} order by rowid`,
      `select label from ${g} where geopoly_overlap(_shape, geopoly_regular(50, 80, 30, 8)) order by 1`,
    ],
    changes: [`insert into ${g} (_shape, label) values (geopoly_regular(50, 80, 5, 5), 'new')`],
    needs: "geopoly",
  };
});

const analyzed: fc.Arbitrary<Making> = fc.constant(() => ({
  sql: ["analyze"],
  queries: ["select * from sqlite_stat1 order by 1, 2, 3"],
  changes: [],
}));

const making = fc.oneof(
  ...[table, strict, withoutRowid, generated, related, rtree, geopoly].map((arbitrary) => ({ arbitrary, weight: 2 })),
  { arbitrary: fts5, weight: 8 },
  { arbitrary: fts4, weight: 3 },
  { arbitrary: analyzed, weight: 1 },
);

/** Random schemas with random rows. The parts have different names. */
export const randomSchema: fc.Arbitrary<readonly SchemaPart[]> = fc
  .record({
    names: fc.shuffledSubarray(NAMES, { minLength: 1, maxLength: 4 }),
    makings: fc.array(making, { minLength: 4, maxLength: 4 }),
  })
  .map(({ names, makings }) => names.flatMap((name, at) => makings[at]?.(name, at) ?? []));
