import type { AnswerDifference } from "./compare";
import { CLOSE, execute, type PipelineRequest, type Turn } from "./protocol";

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
  matches(difference: AnswerDifference): boolean;
  /** Whether the rows of the two databases can differ afterwards, so that the scenario ends. */
  readonly diverges?: true;
}

const turn = (...requests: readonly PipelineRequest[]): Turn => ({ requests: [...requests, CLOSE] });
const sequence = (sql: string): PipelineRequest => ({ type: "sequence", sql });
const describe = (sql: string): PipelineRequest => ({ type: "describe", sql });
const text = (value: string) => ({ type: "text", value });

const isParseError = (code: string | undefined): boolean => code === "SQL_PARSE_ERROR";

/** Ours succeeds where sqld fails with the code. */
const onlySqldFails = ({ field, codes }: AnswerDifference, ...allowed: readonly string[]): boolean =>
  field === "outcome" && codes.ours === undefined && codes.sqld !== undefined && allowed.includes(codes.sqld);

/** Returns our message about a name or a function as sqld words it, with the same place. */
const inWordsOfSqld = (message: unknown): string =>
  `${message}`
    .replace(/^SQLite input error: /, "SQL input error: ")
    .replace(/^(.* no such column: )"(.*)" - should this be a string literal in single-quotes\?/s, "$1$2");

const isJsonError = (message: unknown): boolean => /^SQLite error: .*JSON/.test(`${message}`);

/** Matches SQL that only SQLite's parser accepts. */
const NOT_IN_LIBSQL_PARSER = /\b\d+_\d|\$\w+::|\bgroup_concat\(\w+ order by|^select sum\(\w+\) from \w+ having/i;

/** Returns the JSON of rows with 14 digits of each number that has a fraction. */
const withFewerDigits = (rows: unknown): string =>
  `${JSON.stringify(rows)}`.replace(/-?\d+\.\d+(?:e[+-]?\d+)?/g, (number) => Number(number).toPrecision(14));

/** Matches SQL that can take parts out of the text of a number. */
const ON_TEXT = /\|\||\bas (?:text|blob)\)|\b(?:substr|replace|trim|json_array|hex|quote)\(/;

/** Returns the JSON of rows with ten characters of each longer text, also in blobs, and with 0 for each digit alone. */
const withFirstCharacters = (rows: unknown): string =>
  `${JSON.stringify(rows)}`
    .replace(
      /"base64":"([^"]*)"/g,
      (_, base64: string) => `"value":"${Buffer.from(base64, "base64").toString("latin1")}"`,
    )
    .replace(/"(text|blob)","value":"((?=[^"]*\d)[^"]{10})[^"]+"/g, '"$1","value":"$2"')
    .replace(/"text","value":"\d"/g, '"text","value":"0"');

/** Returns the JSON of rows with null in place of empty texts and of U+0000. */
const withoutEmptyTexts = (rows: unknown): string =>
  `${JSON.stringify(rows)}`.replace(/\{"type":"text","value":"(?:\\u0000)*"\}/g, '{"type":"null"}');

/** Returns the JSON of rows with 14 digits of each number in a float64 vector. */
const withShorterVectors = (rows: unknown): string =>
  `${JSON.stringify(rows)}`.replace(/"base64":"([^"]*)"/g, (_, base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    return Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readDoubleLE(8 * at).toPrecision(14)).join();
  });

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
      "`ALTER COLUMN` if the old declaration has a comma in a text or comment, or if SQLite does not accept the new one, also when it is described",
    ours: "alters the column; says why not",
    sqld: "`SQLite error: CREATE TABLE …`, or another reason or code; succeeds if the reason is a function or collation that does not exist",
    right: "ours",
    source: SERVICE,
    example: [
      turn(execute("create table t (a text default 'x, y', b)"), execute("alter table t alter column a to a text")),
      turn(execute("alter table t alter column b to b text check (c > 1)")),
      turn(execute("alter table t alter column b to b text collate none")),
    ],
    matches: ({ kind, sql, field, ours, sqld, codes }) =>
      ALTER_COLUMN.test(sql) &&
      ((kind === "describe" && isParseError(codes.ours)) ||
        /SQLite error: CREATE TABLE/.test(`${sqld}`) ||
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
    about: "Pragmas: which are allowed, the code if not, and the file in `database_list`",
    ours: "an own list; `BLOCKED`; no file",
    sqld: "an own list; `SQL_PARSE_ERROR`; the path on its machine",
    right: "both",
    source: LIBSQL,
    example: [turn(execute("pragma database_list")), turn(execute("pragma writable_schema = 1"))],
    matches: ({ field, sql, codes }) =>
      /^pragma\b/i.test(sql) &&
      (field === "rows"
        ? sql === "pragma database_list"
        : (field === "outcome" || field === "code" || field === "message") &&
          (codes.ours === "BLOCKED" || isParseError(codes.sqld))),
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
    about: "Empty texts in `concat_ws`, and `round(-0.25, 4294967295)`, whose rules SQLite has changed",
    ours: "count; -0.25",
    sqld: "are left out; 0",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select concat_ws('-', 1, '', 2)")), turn(execute("select round(-0.25, 4294967295)"))],
    matches: ({ field, sql }) => field === "rows" && /\bconcat_ws\(|\bround\(.*\b\d{10,}/.test(sql),
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
    about: "The wording of errors in the SQL",
    ours: "`SQLite input error: …`, as in the public service; the words of a newer SQLite, also for `SQL_PARSE_ERROR`",
    sqld: "`SQL input error: …`; the words of an older SQLite, and of its own parser for `SQL_PARSE_ERROR`",
    right: "both",
    source: SERVICE,
    example: [turn(execute("select 1 +"), execute("select nope"), execute('select "no such"'))],
    matches: ({ field, codes, ours, sqld }) =>
      field === "message" && codes.ours === codes.sqld && (isParseError(codes.ours) || inWordsOfSqld(ours) === sqld),
  },
  {
    id: "D17",
    about: "Fields of `strftime` that SQLite 3.46 has introduced: `%G`, `%g`, `%U`, `%V`",
    ours: "the value",
    sqld: "null",
    right: "both",
    source: SQLITE,
    example: [turn(execute("select strftime('%G-%V', '2024-02-29')"))],
    matches: ({ field, sql }) => ["rows", "affected_row_count", "outcome"].includes(field) && /%[GgUV]/.test(sql),
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
    matches: ({ field, ours, sqld, sql }) =>
      field === "rows" &&
      (withFewerDigits(ours) === withFewerDigits(sqld) ||
        (ON_TEXT.test(sql) && withFirstCharacters(ours) === withFirstCharacters(sqld))),
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
    id: "V1",
    about:
      "Vector indexes (`libsql_vector_idx`, `vector_top_k`), and vectors other than float32 and float64 (`vector1bit`, `vector8`, `vector16`, `vectorb16`)",
    ours: "an error that says what works instead",
    sqld: "work",
    right: "sqld",
    source: "[Turso](https://docs.turso.tech/features/ai-and-embeddings)",
    example: [
      turn(execute("create table t (e F32_BLOB(2))"), execute("create index i on t (libsql_vector_idx(e))")),
      turn(execute("select vector_extract(x'000003')")),
    ],
    matches: ({ field, codes, ours }) =>
      field === "outcome" && codes.sqld === undefined && /not supported here/.test(`${ours}`),
    diverges: true,
  },
  {
    id: "V2",
    about:
      "A blob of even length that is not divisible by 4, in `vector_extract`, `vector_distance_cos` and `vector_distance_l2`",
    ours: "the error of `vector32`",
    sqld: "a vector with a number that is not in the blob",
    right: "ours",
    source: LIBSQL,
    example: [turn(execute("select vector_extract(x'0000')"))],
    matches: ({ field, codes, ours }) =>
      field === "outcome" && codes.sqld === undefined && /vector: unexpected data part size/.test(`${ours}`),
  },
  {
    id: "V3",
    about: "The last digit of a number in `vector64`, such as `vector64('[0.633761352]')`, in about one of 4,000",
    ours: "the nearest float",
    sqld: "the next one",
    right: "ours",
    source: SQLITE,
    example: [turn(execute("select vector64('[0.633761352]')"))],
    matches: ({ field, sql, ours, sqld }) =>
      field === "rows" && /\bvector64\(/.test(sql) && withShorterVectors(ours) === withShorterVectors(sqld),
    diverges: true,
  },
  {
    id: "D23",
    about: "An error in RETURNING of an INSERT on a table with a trigger after it, whose place SQLite then loses",
    ours: "`SQL_INPUT_ERROR` with the place",
    sqld: "`SQLITE_UNKNOWN`",
    right: "both",
    source: SQLITE,
    example: [
      turn(
        execute("create table t (a)"),
        execute("create trigger r after insert on t begin select 1; end"),
        execute("insert into t values (1) returning nope"),
      ),
    ],
    matches: ({ field, sql, codes }) =>
      (field === "code" || field === "message") &&
      /\b(?:insert|replace)\b.*\breturning\b/.test(sql) &&
      codes.ours === "SQL_INPUT_ERROR" &&
      codes.sqld === "SQLITE_UNKNOWN",
  },
  {
    id: "D24",
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
