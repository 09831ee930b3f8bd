/** Whitespace and semicolons, or a comment. */
const BETWEEN = /[\s;\uFEFF]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)/y;

/** Returns the position of the next statement, or the length of the text if there is none. */
export function nextStatement(text: string, from: number): number {
  // Matches one comment at a time, because repeating a group would overflow the stack if there are many.
  for (let at = from; ; at = BETWEEN.lastIndex) {
    BETWEEN.lastIndex = at;
    if (!BETWEEN.test(text)) return at;
  }
}

/** Spaces as SQLite knows them, or a comment. */
const GAP = /[ \t\n\f\r\uFEFF]+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)/y;
/** A word, a name or text in quotes without quotes inside it, or another character. */
const TOKEN = /[\w$\u0080-\uffff]+|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[\s\S]/y;

export interface SqlToken {
  readonly text: string;
  readonly at: number;
  /** The position just after the token. */
  readonly end: number;
}

/** Yields the words, the names and texts in quotes, and all other characters except spaces and comments. */
export function* tokensFrom(text: string, from: number): Iterable<SqlToken> {
  for (let at = from; at < text.length; ) {
    GAP.lastIndex = at;
    if (GAP.test(text)) {
      at = GAP.lastIndex;
      continue;
    }
    const end = tokenEnd(text, at);
    yield { text: text.slice(at, end), at, end };
    at = end;
  }
}

function tokenEnd(text: string, at: number): number {
  const first = text.charAt(at);
  // Matches a name with quotes inside it part by part, because repeating a group would overflow the stack if there are
  // many.
  for (let end = at; ; ) {
    TOKEN.lastIndex = end;
    TOKEN.test(text);
    end = TOKEN.lastIndex;
    if (!"'\"`".includes(first) || text[end] !== first) return end;
  }
}

export interface SqlStatement {
  readonly text: string;
  /** The first words, in upper case, without spaces and comments. */
  readonly words: readonly string[];
}

/** How many words of a statement say what it is, as in `EXPLAIN QUERY PLAN CREATE TEMP TRIGGER`. */
const KIND_WORDS = 6;

/**
 * Splits a script into its statements, without the semicolons at their ends. The body of a trigger ends with `; END`, as
 * for SQLite's `sqlite3_complete`.
 */
export function statementsOf(script: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let from = nextStatement(script, 0);
  let words: string[] = [];
  let [beforeLast, last] = ["", ""];
  const add = (end: number) => {
    const text = script.slice(from, end).trimEnd();
    if (words.length > 0) statements.push({ text, words });
    words = [];
    [beforeLast, last] = ["", ""];
  };
  for (const { text, at, end } of tokensFrom(script, from)) {
    if (text !== ";") {
      if (words.length === 0) from = at;
      if (words.length < KIND_WORDS) words.push(text.toUpperCase());
    } else if (!isTriggerBody(words) || (beforeLast === ";" && last === "END")) {
      add(at);
      from = end;
      continue;
    }
    [beforeLast, last] = [last, text.toUpperCase()];
  }
  add(script.length);
  return statements;
}

function isTriggerBody(words: readonly string[]): boolean {
  const [first, second] = words.slice(words.indexOf("CREATE") + 1);
  const isExplained = words[0] === "EXPLAIN";
  return (
    (words[0] === "CREATE" || (isExplained && words.includes("CREATE"))) &&
    (first === "TRIGGER" || (/^TEMP(ORARY)?$/.test(first ?? "") && second === "TRIGGER"))
  );
}
