import type { Random } from "./random";
import { vectorExpression } from "./vectors";

const LITERALS = [
  ...["null", "0", "1", "-1", "2", "7", "42", "255", "-300", "9223372036854775807", "-9223372036854775808", "0x1f"],
  ...["0.5", "-0.25", "1.5", "3.0", "1e3", "-2.75", "1e10", "1234.5"],
  ...[
    "''",
    "'a'",
    "'Abc'",
    "'abc'",
    "'10'",
    "'7x'",
    "' pad '",
    "'it''s'",
    "'zoë'",
    "'\u{1f600}'",
    "'%a_'",
    "'2024-02-29'",
  ],
  ...["x''", "x'00ff'", "x'616263'", "true", "false"],
];

const BINARY = [
  ...["+", "-", "*", "/", "%", "||", "=", "==", "<>", "<", "<=", ">", ">=", "is", "is not", "and", "or", "&", "|"],
  ...["<<", ">>", "like", "glob", "is distinct from", "collate nocase ="],
];

const CALLS: Readonly<Record<number, readonly string[]>> = {
  1: [
    ...["abs", "length", "lower", "upper", "trim", "ltrim", "rtrim", "hex", "quote", "typeof", "round", "unicode"],
    ...["json_quote", "json_valid", "date", "time", "datetime", "julianday", "sign", "octet_length", "likely"],
    ...["json_type", "json_array", "unixepoch"],
  ],
  2: [
    ...["ifnull", "nullif", "instr", "min", "max", "coalesce", "round", "trim", "like", "glob", "char"],
    ...["json_array", "json_extract", "concat", "timediff"],
  ],
  3: ["iif", "min", "max", "coalesce", "json_array", "format"],
};

const MODIFIERS = [
  ...["'+1 day'", "'-3 months'", "'start of month'", "'start of year'", "'weekday 1'", "'+36 hours'", "'utc'", "'bad'"],
  ...["'+1 year'", "'auto'", "'unixepoch'", "'-00:30'", "'subsec'"],
];
const DATES = [
  ...["'2024-02-29'", "'2023-12-31 23:59:59'", "'2000-01-01T12:00'", "2451545", "0", "1700000000", "'12:30'", "'no'"],
  ...["null", "'2024-13-01'", "'2024-02-30'"],
];
const FORMATS = ["'%Y-%m-%d'", "'%H:%M:%S'", "'%j %w %W'", "'%s'", "'%Y %q'", "'%e %k %I %p'", "'%G-%V %u'"];

const DOCUMENTS = [
  ...[`'{"a":1,"b":[1,2,{"c":null}],"d":"x"}'`, `'[1,"two",3.5,null,true]'`, "'{}'", "'null'", "'not json'", "'7'"],
  ...[`'{"a":{"b":{"c":[10,20]}}}'`, "'[]'", `'{a:1,}'`, `'"text"'`],
];
const PATHS = [
  "'$'",
  "'$.a'",
  "'$.b[0]'",
  "'$.b[#-1]'",
  "'$.a.b.c[1]'",
  "'$[2]'",
  "'$.nope'",
  "'a'",
  "'bad path'",
  "1",
];

/** Returns a random expression that is the same whenever it is evaluated. */
export function expression(random: Random, columns: readonly string[], depth = 2): string {
  const sub = (): string => expression(random, columns, depth - 1);
  if (depth <= 0 || random.chance(20))
    return columns.length > 0 && random.chance(60) ? random.pick(columns) : random.pick(LITERALS);
  switch (random.below(13)) {
    case 0:
    case 1:
    case 2:
      return `(${sub()} ${random.pick(BINARY)} ${sub()})`;
    case 3:
      return `${random.pick(["not ", "-", "+", "~"])}(${sub()})`;
    case 4:
    case 5: {
      // Newer versions of SQLite treat numbers in `replace` and the greatest integers in `substr` in other ways.
      if (random.chance(15)) return `replace(cast(${sub()} as text), ${random.pick(["'a'", "'1'", "''"])}, 'b')`;
      if (random.chance(15)) return `substr(${sub()}, ${random.below(5) - 2}, ${random.below(5) - 2})`;
      const count = 1 + random.below(3);
      return `${random.pick(CALLS[count] ?? [])}(${Array.from({ length: count }, sub).join(", ")})`;
    }
    case 6:
      return `case ${random.chance(30) ? sub() : ""} when ${sub()} then ${sub()} else ${sub()} end`;
    case 7:
      return `cast(${sub()} as ${random.pick(["integer", "text", "real", "numeric", "blob"])})`;
    case 8:
      return `(${sub()} ${random.pick(["", "not "])}in (${random.some(0, 3, sub).join(", ")}))`;
    case 9:
      return `(${sub()} between ${sub()} and ${sub()})`;
    case 10:
      return json(random);
    case 11:
      return vectorExpression(random);
    default:
      return date(random);
  }
}

function json(random: Random): string {
  const [document, path] = [random.pick(DOCUMENTS), random.pick(PATHS)];
  return random.pick([
    `json(${document})`,
    `json_extract(${document}, ${path})`,
    `${document} -> ${path}`,
    `${document} ->> ${path}`,
    `json_type(${document}, ${path})`,
    `json_set(${document}, ${path}, ${random.pick(LITERALS)})`,
    `json_insert(${document}, ${path}, json(${random.pick(DOCUMENTS)}))`,
    `json_remove(${document}, ${path})`,
    `json_patch(${document}, ${random.pick(DOCUMENTS)})`,
    `json_array_length(${document}, ${path})`,
    `json_object('k', ${random.pick(LITERALS)}, 'd', ${random.pick(LITERALS)})`,
    `(select group_concat(key || ':' || type) from json_each(${document}))`,
    `(select count(*) from json_tree(${document}))`,
    `json_error_position(${document})`,
  ]);
}

function date(random: Random): string {
  const [moment, modifiers] = [random.pick(DATES), random.some(0, 2, () => `, ${random.pick(MODIFIERS)}`).join("")];
  return random.pick([
    `date(${moment}${modifiers})`,
    `time(${moment}${modifiers})`,
    `datetime(${moment}${modifiers})`,
    `julianday(${moment}${modifiers})`,
    `unixepoch(${moment}${modifiers})`,
    `strftime(${random.pick(FORMATS)}, ${moment}${modifiers})`,
    `timediff(${moment}, ${random.pick(DATES)})`,
  ]);
}
