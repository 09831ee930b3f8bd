import type { Difference } from "./compare";
import { CLOSE, execute, type Request, type Turn } from "./protocol";

const SERVICE = "[service](https://github.com/tursodatabase/turso/blob/main/serverless/PROTOCOL.md)";
const HRANA = "[Hrana 3](https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md)";
const SQLITE = "[SQLite](https://sqlite.org/docs.html)";
const LIBSQL = "libSQL";

/** A difference between our server and libSQL's own one. `docs/reference-api-sql.md` has a table of them. */
export interface KnownDifference {
  readonly id: string;
  readonly about: string;
  readonly ours: string;
  readonly sqld: string;
  /** Whose answer is right. `both` if the protocol leaves the answer open. */
  readonly right: "ours" | "sqld" | "both";
  readonly source: string;
  /** Requests to new databases that show the difference. */
  readonly example: readonly Turn[];
  matches(difference: Difference): boolean;
  /** Whether the rows of the two databases can differ afterwards, so that the scenario ends. */
  readonly diverges?: true;
}

const turn = (...requests: readonly Request[]): Turn => ({ requests: [...requests, CLOSE] });
const sequence = (sql: string): Request => ({ type: "sequence", sql });
const describe = (sql: string): Request => ({ type: "describe", sql });
const text = (value: string) => ({ type: "text", value });

const isParseError = (code: string | undefined): boolean => code === "SQL_PARSE_ERROR";

/** Ours succeeds where sqld fails with the code. */
const onlySqldFails = ({ field, codes }: Difference, ...allowed: readonly string[]): boolean =>
  field === "outcome" && codes.ours === undefined && codes.sqld !== undefined && allowed.includes(codes.sqld);

/** Removes what the two servers put around the message of SQLite. */
const plainMessage = (message: unknown): string =>
  `${message}`
    .replace(/^SQL(?:ite)? (?:input )?error: /, "")
    .replace(/^SQL string could not be parsed: /, "")
    .replace(/ \(at offset \d+\)$/, "");

const isJsonError = (message: unknown): boolean => /^SQLite error: .*JSON/.test(`${message}`);

/** Matches SQL that only SQLite's parser accepts. */
const NOT_IN_LIBSQL_PARSER = /\b\d+_\d|\$\w+::|\bgroup_concat\(\w+ order by|^select sum\(\w+\) from \w+ having/i;

/** Returns the JSON of rows with 14 digits of each number that has a fraction. */
const withFewerDigits = (rows: unknown): string =>
  `${JSON.stringify(rows)}`.replace(/-?\d+\.\d+(?:e[+-]?\d+)?/g, (number) => Number(number).toPrecision(14));

/** Returns the JSON of rows with null in place of empty texts and of U+0000. */
const withoutEmptyTexts = (rows: unknown): string =>
  `${JSON.stringify(rows)}`.replace(/\{"type":"text","value":"(?:\\u0000)*"\}/g, '{"type":"null"}');

const withoutTypes = (rows: unknown): string =>
  `${JSON.stringify(rows)}`.replace(/"type":"(?:text|integer|float)",/g, "").replace(/"value":"?([-\d.e+]+)"?/g, "$1");

const ALTER_COLUMN = /^alter table \S+ alter column\b/i;

export const KNOWN: readonly KnownDifference[] = [
  {
    id: "W1",
    about: "A sequence in which a statement cannot be parsed",
    ours: "fails at that statement",
    sqld: "succeeds and leaves the statement out",
    right: "ours",
    source: HRANA,
    example: [turn(sequence("create table s (a); insert into s values (1); frobnicate; insert into s values (2)"))],
    matches: ({ kind, field, codes }) => kind === "sequence" && field === "outcome" && isParseError(codes.ours),
    diverges: true,
  },
  {
    id: "W2",
    about: "A sequence that ends with a whole statement that cannot be parsed, such as `select * frm s;`",
    ours: "runs what is before it",
    sqld: "runs nothing",
    right: "ours",
    source: HRANA,
    example: [turn(sequence("create table s (a); select * frm s;")), turn(execute("select count(*) from s"))],
    matches: ({ field, earlier }) =>
      ["outcome", "rows"].includes(field) && /; select \* frm s;$/.test(earlier.at(-1) ?? ""),
    diverges: true,
  },
  {
    id: "W3",
    about: "`want_rows: false`",
    ours: "no rows",
    sqld: "the rows",
    right: "ours",
    source: HRANA,
    example: [turn(execute("select 1", { want_rows: false }))],
    matches: ({ field, stmt, ours }) =>
      stmt.want_rows === false && field === "rows" && Array.isArray(ours) && ours.length === 0,
  },
  {
    id: "W4",
    about: "A batch with a step that cannot be parsed",
    ours: "an error for that step",
    sqld: "an error for the whole batch, and no step runs; a cursor gets HTTP 500",
    right: "ours",
    source: SERVICE,
    example: [turn({ type: "batch", batch: { steps: [{ stmt: { sql: "select 1" } }, { stmt: { sql: "selec" } }] } })],
    matches: ({ kind, field, codes, sqld }) =>
      (["batch", "cursor"].includes(kind) &&
        field === "outcome" &&
        codes.ours === undefined &&
        isParseError(codes.sqld)) ||
      (kind === "cursor" && field === "status" && /^500 .*could not be parsed/.test(`${sqld}`)),
    diverges: true,
  },
  {
    id: "W5",
    about: "A text that is not UTF-8, such as `cast(x'ff61' as text)`",
    ours: "the text with U+FFFD",
    sqld: "HTTP 500, and the stream is lost; a cursor ends without an answer, and so does a WebSocket",
    right: "ours",
    source: SERVICE,
    example: [turn(execute("select cast(x'ff61' as text)"))],
    matches: ({ kind, field, sqld, codes }) =>
      codes.sqld === "1006" ||
      (field === "status" && /^500 .*utf-8/.test(`${sqld}`)) ||
      (kind === "cursor" && field === "status" && sqld === "0 aborted"),
    diverges: true,
  },
  {
    id: "W6",
    about: "Named parameters with values by position",
    ours: "binds them by position",
    sqld: "`ARGS_INVALID`",
    right: "ours",
    source: HRANA,
    example: [turn(execute("select :a, @b", { args: [text("1"), text("2")] }))],
    matches: (difference) =>
      (difference.stmt.args?.length ?? 0) > 0 &&
      /[:@$]\w/.test(difference.sql) &&
      onlySqldFails(difference, "ARGS_INVALID"),
  },
  {
    id: "W7",
    about: "`last_insert_rowid` of a statement that inserts no row",
    ours: "null",
    sqld: "the id of an earlier row, or 0",
    right: "ours",
    source: SERVICE,
    example: [turn(execute("create table t (a)"), execute("insert into t select 1 where 0"))],
    matches: ({ field, ours, sqld, sql, affectedRows }) =>
      field === "last_insert_rowid" &&
      ours === null &&
      sqld !== null &&
      (affectedRows === 0 || !/\b(?:insert|replace)\b/i.test(sql)),
  },
  {
    id: "W8",
    about:
      "SQL that SQLite accepts and libSQL's parser does not: `1_000`, `having` without `group by`, `$a::b`, `group_concat(a order by a)`",
    ours: "runs",
    sqld: "`SQL_PARSE_ERROR`",
    right: "ours",
    source: SQLITE,
    example: [turn(execute("select group_concat(a order by a) from (select 1 as a)"))],
    matches: (difference) =>
      NOT_IN_LIBSQL_PARSER.test(difference.sql) && onlySqldFails(difference, "SQL_PARSE_ERROR", "SQL_INPUT_ERROR"),
  },
  {
    id: "W9",
    about: "Describing `pragma key`",
    ours: "`BLOCKED`",
    sqld: "succeeds, and the stream can no longer read the database",
    right: "ours",
    source: SERVICE,
    example: [turn(describe("pragma key = 'x'"))],
    matches: ({ kind, field, sql, codes }) =>
      kind === "describe" && field === "outcome" && /^pragma key\b/.test(sql) && codes.ours === "BLOCKED",
  },
  {
    id: "W10",
    about: "`close` before another request",
    ours: "400",
    sqld: "accepted",
    right: "ours",
    source: SERVICE,
    example: [{ requests: [CLOSE, CLOSE] }],
    matches: ({ field, ours, sqld }) =>
      field === "status" && /^400.*close/.test(`${ours}`) && `${sqld}`.startsWith("200"),
  },
  {
    id: "W11",
    about: "`extended_code` of a violated constraint",
    ours: "sent",
    sqld: "absent",
    right: "ours",
    source: SERVICE,
    example: [turn(execute("create table t (a unique)"), execute("insert into t values (1), (1)"))],
    matches: ({ field, ours, sqld }) => field === "extended_code" && typeof ours === "string" && sqld === undefined,
  },
  {
    id: "W12",
    about: "A named argument with another prefix than its parameter, such as `@a` for `:a`",
    ours: "binds it",
    sqld: "`ARGS_INVALID`",
    right: "ours",
    source: SERVICE,
    example: [turn(execute("select :a", { named_args: [{ name: "@a", value: text("1") }] }))],
    matches: (difference) => (difference.stmt.named_args?.length ?? 0) > 0 && onlySqldFails(difference, "ARGS_INVALID"),
  },
  {
    id: "W13",
    about:
      "`ALTER COLUMN` if the old declaration has a comma in a text or comment, or if SQLite does not accept the new one",
    ours: "alters the column; says why not",
    sqld: "`SQLite error: CREATE TABLE …`, or another reason; succeeds if the reason is a function or collation that does not exist",
    right: "ours",
    source: SERVICE,
    example: [
      turn(execute("create table t (a text default 'x, y', b)"), execute("alter table t alter column a to a text")),
      turn(execute("alter table t alter column b to b text check (c > 1)")),
      turn(execute("alter table t alter column b to b text collate none")),
    ],
    matches: ({ sql, field, ours, sqld }) =>
      ALTER_COLUMN.test(sql) &&
      (/SQLite error: CREATE TABLE/.test(`${sqld}`) ||
        (field === "message" && /^SQLite error: error in adding/.test(`${ours}`)) ||
        (field === "outcome" && sqld === "ok" && /no such (?:function|collation)/.test(`${ours}`))),
    diverges: true,
  },
  {
    id: "W14",
    about: "After `ALTER COLUMN`: indexes of a column with another `COLLATE`; the first `AUTOINCREMENT` of a database",
    ours: "are built anew; works",
    sqld: "are left as they are, so queries miss rows; inserting fails with `SQLITE_CORRUPT`",
    right: "ours",
    source: SERVICE,
    example: [
      turn(
        execute("create table t (id integer primary key, a text)"),
        execute("insert into t (a) values ('a'), ('A')"),
        execute("create index i on t (a)"),
        execute("alter table t alter column a to a text collate nocase"),
        execute("select count(*) from t where a = 'a'"),
        execute("alter table t alter column id to id integer primary key autoincrement"),
        execute("insert into t (a) values ('b')"),
      ),
    ],
    matches: ({ field, earlier, codes }) =>
      earlier.some((sql) => ALTER_COLUMN.test(sql) && /\b(?:collate|autoincrement)\b/.test(sql)) &&
      (field === "rows" || codes.sqld === "SQLITE_CORRUPT"),
    diverges: true,
  },
  {
    id: "D1",
    about: "Names that do not exist, and other errors in the SQL",
    ours: "`SQL_INPUT_ERROR`, `SQLite input error: …`",
    sqld: "`SQLITE_UNKNOWN`, `SQLite error: …`, or `SQL_INPUT_ERROR` with `SQL input error: … (at offset …)` if SQLite knows the place",
    right: "both",
    source: SERVICE,
    example: [turn(execute("insert into nowhere values (1)"))],
    matches: ({ field, ours, sqld, codes }) =>
      codes.ours === "SQL_INPUT_ERROR" &&
      ((field === "code" && sqld === "SQLITE_UNKNOWN") ||
        (field === "message" && plainMessage(ours) === plainMessage(sqld))),
  },
  {
    id: "D2",
    about: "A name in double quotes that is no column",
    ours: "a text, as in the public service",
    sqld: "`no such column`",
    right: "both",
    source: LIBSQL,
    example: [turn(execute('select "no such"'))],
    matches: (difference) =>
      /"/.test(difference.sql) &&
      onlySqldFails(difference, "SQL_INPUT_ERROR", "SQLITE_UNKNOWN") &&
      /no such column/.test(`${difference.sqld}`),
  },
  {
    id: "D3",
    about: "A write in a transaction begun with `READONLY`",
    ours: "`BLOCKED`",
    sqld: "accepted",
    right: "ours",
    source: "[`@libsql/client`](https://docs.turso.tech/sdk/ts/reference)",
    example: [turn(execute("begin readonly"), execute("create table t (a)"))],
    matches: ({ field, codes, earlier }) =>
      field === "outcome" &&
      codes.ours === "BLOCKED" &&
      codes.sqld === undefined &&
      /readonly$/i.test(earlier.join("\n")),
    diverges: true,
  },
  {
    id: "D4",
    about: "`rows_read` and `rows_written`",
    ours: "the rows returned, and the rows changed",
    sqld: "the rows scanned, and the rows and index entries written",
    right: "sqld",
    source: SERVICE,
    example: [turn(execute("create table t (a)"))],
    matches: ({ field }) => field === "rows_read" || field === "rows_written",
  },
  {
    id: "D6",
    about: "`store_sql` with an id in use",
    ours: "replaces the SQL",
    sqld: "400",
    right: "ours",
    source: SERVICE,
    example: [
      turn({ type: "store_sql", sql_id: 1, sql: "select 1" }, { type: "store_sql", sql_id: 1, sql: "select 2" }),
    ],
    matches: ({ field, ours, sqld }) =>
      ["status", "outcome"].includes(field) && !/^400/.test(`${ours}`) && /SQL text|sql_id/i.test(`${sqld}`),
  },
  {
    id: "D7",
    about: "`analyze`, `vacuum` and `create temp …`",
    ours: "run",
    sqld: "`SQL_PARSE_ERROR`",
    right: "both",
    source: LIBSQL,
    example: [turn(execute("analyze")), turn(execute("create temp table t (a)"))],
    matches: (difference) =>
      /^(?:analyze|vacuum|create temp)\b/.test(difference.sql) &&
      (onlySqldFails(difference, "SQL_PARSE_ERROR") || isParseError(difference.codes.sqld)),
    diverges: true,
  },
  {
    id: "D8",
    about: "Pragmas: which are allowed, and the code if not",
    ours: "an own list; `BLOCKED`",
    sqld: "an own list; `SQL_PARSE_ERROR`",
    right: "both",
    source: LIBSQL,
    example: [turn(execute("pragma database_list")), turn(execute("pragma writable_schema = 1"))],
    matches: ({ field, sql, codes }) =>
      /^pragma\b/i.test(sql) &&
      (field === "outcome" || field === "code" || field === "message") &&
      (codes.ours === "BLOCKED" || isParseError(codes.sqld)),
  },
  {
    id: "D9",
    about: "Describing several statements, or none",
    ours: "`SQL_MANY_STATEMENTS`, `SQL_NO_STATEMENT`",
    sqld: "describes the first, or nothing",
    right: "both",
    source: HRANA,
    example: [turn(describe("select 1; select 2")), turn(describe(""))],
    matches: ({ kind, field, codes }) =>
      kind === "describe" &&
      field === "outcome" &&
      (codes.ours === "SQL_MANY_STATEMENTS" || codes.ours === "SQL_NO_STATEMENT") &&
      codes.sqld === undefined,
  },
  {
    id: "D10",
    about: "`replication_index` in results, and `last_insert_rowid` in a cursor",
    ours: "absent; a string",
    sqld: "a number or null; a number",
    right: "both",
    source: SERVICE,
    example: [turn(execute("select 1"))],
    matches: ({ kind, field, ours, sqld }) =>
      field === "replication_index" ||
      (kind === "cursor" && field === "last_insert_rowid" && typeof ours === "string" && `${sqld}` === ours),
  },
  {
    id: "D11",
    about: "Functions of a newer SQLite (3.53 against 3.45): `iif` with two arguments, `json_pretty`, `unistr`",
    ours: "run",
    sqld: "`SQL_INPUT_ERROR`",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select iif(1, 2)"))],
    matches: (difference) =>
      /\b(?:iif|json_pretty|unistr)\(/.test(difference.sql) &&
      onlySqldFails(difference, "SQL_INPUT_ERROR") &&
      /function (?:iif|json_pretty|unistr)\b|function: (?:json_pretty|unistr)\b/.test(`${difference.sqld}`),
  },
  {
    id: "D12",
    about: "Empty texts in `concat_ws`, whose rule SQLite has changed",
    ours: "count",
    sqld: "are left out",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select concat_ws('-', 1, '', 2)"))],
    matches: ({ field, sql }) => field === "rows" && /\bconcat_ws\(/.test(sql),
  },
  {
    id: "D13",
    about: "Math functions outside their domain, such as `ln(-1)`",
    ours: "null",
    sqld: "an error",
    right: "ours",
    source: SQLITE,
    example: [turn(execute("select ln(-1)"))],
    matches: (difference) =>
      onlySqldFails(difference, "SQLITE_UNKNOWN") && /Numerical argument out of domain/.test(`${difference.sqld}`),
  },
  {
    id: "D14",
    about: "`args` and `named_args` in one statement",
    ours: "`ARGS_INVALID`",
    sqld: "`ARGS_BOTH_POSITIONAL_AND_NAMED`",
    right: "both",
    source: HRANA,
    example: [turn(execute("select ?, :a", { args: [text("1")], named_args: [{ name: "a", value: text("2") }] }))],
    matches: ({ field, codes }) =>
      (field === "code" || field === "message") && codes.sqld === "ARGS_BOTH_POSITIONAL_AND_NAMED",
  },
  {
    id: "D15",
    about: "The wording of `ARGS_INVALID`",
    ours: "an own one",
    sqld: "an own one",
    right: "both",
    source: SERVICE,
    example: [turn(execute("select ?", { args: [text("1"), text("2")] }))],
    matches: ({ field, codes }) =>
      field === "message" && codes.ours === "ARGS_INVALID" && codes.sqld === "ARGS_INVALID",
  },
  {
    id: "D16",
    about: "SQL that cannot be parsed",
    ours: "`SQL_PARSE_ERROR`, with the words of SQLite",
    sqld: "the words of its own parser, or `SQL_INPUT_ERROR` or `SQLITE_UNKNOWN` if only SQLite finds the error",
    right: "both",
    source: SERVICE,
    example: [turn(execute("select 1 +"), describe("frobnicate"))],
    matches: ({ field, ours, sqld, codes }) =>
      isParseError(codes.ours) &&
      ((field === "message" && isParseError(codes.sqld)) ||
        (["SQL_INPUT_ERROR", "SQLITE_UNKNOWN"].includes(codes.sqld ?? "") &&
          (field === "code" || (field === "message" && plainMessage(ours) === plainMessage(sqld))))),
  },
  {
    id: "D17",
    about: "Fields of `strftime` that SQLite 3.46 has introduced: `%G`, `%g`, `%U`, `%V`",
    ours: "the value",
    sqld: "null",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select strftime('%G-%V', '2024-02-29')"))],
    matches: ({ field, sql }) => ["rows", "affected_row_count"].includes(field) && /%[GgUV]/.test(sql),
    diverges: true,
  },
  {
    id: "D18",
    about: "A float as text, such as `cast(0.1 + 0.2 as text)`, whose rule SQLite has changed",
    ours: "up to 17 digits",
    sqld: "up to 15 digits",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select cast(0.1 + 0.2 as text)"))],
    matches: ({ field, ours, sqld }) => field === "rows" && withFewerDigits(ours) === withFewerDigits(sqld),
    diverges: true,
  },
  {
    id: "D19",
    about: "The type of `replace(7, '', 'x')`, whose rule SQLite has changed",
    ours: "text",
    sqld: "integer",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select replace(7, '', 'x')"))],
    matches: ({ field, sql, ours, sqld }) =>
      field === "rows" && /\breplace\(/.test(sql) && withoutTypes(ours) === withoutTypes(sqld),
    diverges: true,
  },
  {
    id: "D20",
    about: "`group_concat` over a window in which the only text is empty, where SQLite itself differs by version",
    ours: "a text of U+0000",
    sqld: "null",
    right: "both",
    source: SQLITE,
    example: [
      turn(execute("select group_concat(s, '-') over (order by s) from (select '' as s union all select 'a') limit 1")),
    ],
    matches: ({ field, sql, ours, sqld }) =>
      field === "rows" && /\bgroup_concat\(.* over\b/i.test(sql) && withoutEmptyTexts(ours) === withoutEmptyTexts(sqld),
    diverges: true,
  },
  {
    id: "D21",
    about: "Which of several errors in the JSON of one statement is reported, where SQLite itself differs by version",
    ours: "one of them",
    sqld: "another one",
    right: "both",
    source: SQLITE,
    example: [
      turn(
        execute(
          "select (1.0 between (format(false, 31, '') between json_insert('not json', 'a', json('null')) and 1) and (0.5 between 31 and json_object('k', 9223372036854775807, 'd', x'00ff')))",
        ),
      ),
    ],
    matches: ({ field, ours, sqld }) => field === "message" && isJsonError(ours) && isJsonError(sqld),
  },
  {
    id: "D22",
    about: "An error in JSON inside an operand that cannot change the result, which newer versions of SQLite skip",
    ours: "the result",
    sqld: "the error",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select cast(null as text) & ('abc' or (select count(*) from json_each('not json')))"))],
    matches: (difference) => onlySqldFails(difference, "SQLITE_UNKNOWN") && /JSON/.test(`${difference.sqld}`),
  },
  {
    id: "D23",
    about: "`changes()` and `total_changes()` after `ALTER COLUMN`",
    ours: "count the change of the schema",
    sqld: "do not",
    right: "sqld",
    source: LIBSQL,
    example: [
      turn(
        execute("create table t (a)"),
        execute("alter table t alter column a to a text"),
        execute("select changes(), total_changes()"),
      ),
    ],
    matches: ({ field, sql, earlier }) =>
      field === "rows" && /\bchanges\(\)/.test(sql) && earlier.some((each) => ALTER_COLUMN.test(each)),
  },
];

/** Returns the row of the table in the docs. */
export const rowOf = ({ id, about, ours, sqld, right, source }: KnownDifference): string =>
  `| ${[id, about, ours, sqld, right, source].join(" | ")} |`;
