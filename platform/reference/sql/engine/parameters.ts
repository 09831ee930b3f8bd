import { SqlFailure } from "./failure";
import type { Statement, Value } from "./jobs";
import { argumentsWrong, BOTH_KINDS, notAnInteger, parameterUnknown, tooMany, valueMissing } from "./messages";

/**
 * Matches a parameter. Also matches literals, names and comments, because `?` and `:` in them do not begin a parameter.
 * A quoted text that contains its own quote matches as several texts. Repeating a group instead would overflow the
 * stack if the text is long.
 */
const TOKEN =
  /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\?\d*|[:@$#](?:[\w$\u0080-\uffff]|::)+(?:\([^ \t-\r)]*\))?|\uFEFF|[\w$\u0080-\uffff]+/g;

/** A byte order mark, which SQLite takes for a space before a word, and for a letter within one. */
const MARK = "\uFEFF";

/** Returns the words of a statement in lower case, without names in quotes. */
export const unquotedSqlWords = (sql: string): string[] =>
  [...sql.matchAll(TOKEN)].flatMap(([token]) =>
    token !== MARK && /^[\w\u0080-\uffff]/.test(token) ? [token.toLowerCase()] : [],
  );

/**
 * Returns the names of the parameters, by zero-based index: `null` for a parameter without a name, and `undefined` for
 * a number that is not used, such as 2 between ?1 and ?3.
 */
export function sqlParameterNames(sql: string): (string | null | undefined)[] {
  if (!/[?:@$]/.test(sql)) return [];
  const names: (string | null | undefined)[] = [];
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === "?") names.push(null);
    else if (token.startsWith("?")) {
      const index = Number(token.slice(1));
      if (index < 1 || index > MOST) continue;
      while (names.length < index) names.push(undefined);
      // A number can also refer to a parameter that already has a name, as in `:a, ?1`.
      names[index - 1] ??= token;
    } else if (/^[:@$]/.test(token) && !names.includes(token)) names.push(token);
  }
  return names;
}

/** Returns a name without its prefix, because the prefix of an argument may differ from that of its parameter. */
const bareParameter = (name: string): string => name.replace(/^[:@$]/, "");

/** The highest number that SQLite accepts in a numbered parameter such as `?1`. */
const MOST = 32_766;

type Bound = null | number | bigint | string | Uint8Array;

/**
 * Returns the values to bind: an object with the values of named parameters, if there are any, followed by the values
 * of all other parameters in order. node:sqlite treats numbered parameters as unnamed.
 */
export function boundOf(sql: string, { args, named_args }: Statement): [Record<string, Bound>, ...Bound[]] | Bound[] {
  const names = sqlParameterNames(sql);
  if (args?.length && named_args?.length) throw argumentMismatch(BOTH_KINDS);
  const given = new Map<number, Value>((args ?? []).entries());
  if (given.size > names.length)
    throw argumentMismatch(tooMany({ valueCount: given.size, parameterCount: names.length }));
  const byName = new Map((named_args ?? []).map(({ name, value }) => [name, value]));
  const byBareName = new Map([...byName.keys()].map((name) => [bareParameter(name), name]));
  const unused = new Set(byName.keys());
  for (const [index, parameter] of names.entries()) {
    if (!parameter) continue;
    const name =
      [parameter, bareParameter(parameter)].find((each) => byName.has(each)) ??
      byBareName.get(bareParameter(parameter));
    const value = name === undefined ? undefined : byName.get(name);
    if (name === undefined || value === undefined) continue;
    given.set(index, value);
    unused.delete(name);
  }
  for (const name of unused) throw argumentMismatch(parameterUnknown({ parameter: name }));
  const named: Record<string, Bound> = {};
  const positional: Bound[] = [];
  for (const [index, name] of names.entries()) {
    const value = given.get(index);
    if (value === undefined && name !== undefined)
      throw argumentMismatch(valueMissing({ parameter: name ?? String(index + 1) }));
    const bound = value === undefined ? null : decodedArgument(value);
    if (name && !name.startsWith("?")) named[name] = bound;
    else positional.push(bound);
  }
  return Object.keys(named).length > 0 ? [named, ...positional] : positional;
}

const argumentMismatch = (reason: string): SqlFailure => new SqlFailure(argumentsWrong({ reason }), "ARGS_INVALID");

function decodedArgument(value: Value): Bound {
  switch (value.type) {
    case "null":
      return null;
    case "integer": {
      const integer = BigInt(value.value);
      if (BigInt.asIntN(64, integer) !== integer) throw argumentMismatch(notAnInteger({ text: String(value.value) }));
      return integer;
    }
    case "blob":
      return Buffer.from(value.base64, "base64");
    default:
      return value.value;
  }
}
