/** Matches whitespace, a comment, a text, a name, a word, a number, a parameter, or another character. */
const TOKEN =
  /[ \t\n\f\r\uFEFF]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|[?:@$#]?[\w$\u0080-\uffff]+|[\s\S]/g;

const GAP = /^(?:[ \t\n\f\r\uFEFF]|--|\/\*)/;
const NAME = /^(?:["`[]|[\w\u0080-\uffff])/;

/** Matches messages that spell a column or a function of an expression. */
const OF_EXPRESSION =
  /^(?:no such column: (?!".*"$)|ambiguous column name: |no such function: |wrong number of arguments to function |misuse of (?:aggregate|window) function |misuse of aggregate: |(?:FILTER|ORDER BY) may not be used with |second argument to |unsafe use of )|\(\) may not be used as a window function$/s;

/** Matches messages that spell something else of the statement. The first one is about a column in ALTER TABLE. */
const OF_STATEMENT =
  /^(?:no such column: ".*"|hex literal too big: .*|unknown database .*|(?:table|view|trigger) .* (?:already exists|cannot reference objects in database .*))$/s;

const OF_SYNTAX = /^(?:near|unrecognized token:) "(.*)"(?:: syntax error)?$/s;

/** Matches messages that spell nothing of the statement. */
const OF_STAR = /^ambiguous column name: .+\..+\./s;
const OF_TERM = /^\d+\w\w (?:ORDER|GROUP) BY term out of range /;
const OF_ROW = "row value misused";
const OF_PARAMETER = /^variable number must be /;
const PROHIBITED = /^(parameters|non-deterministic functions|subqueries|the "\." operator) prohibited in /;

const NON_DETERMINISTIC = /^(?:random|randomblob|changes|total_changes|last_insert_rowid)$/;

/** Matches what can be before the last operand of a comparison. */
const COMPARING = /^(?:[=<>]|is|between|and)$/;

/** Matches what can be before the first operand of a comparison. */
const BEFORE_OPERAND =
  /^(?:[(,=]|and|or|not|select|distinct|all|where|on|having|when|then|else|case|by|set|returning|limit|values)$/;

/** How many characters of a statement are searched. */
const SEARCHED = 1_048_576;
/** How many characters SQLite parses again, so that many equal names in a long statement do not take seconds. */
const PARSED_AGAIN = 8_388_608;

/** Prepares a text, and returns the message with which that fails. */
type Parse = (text: string) => string | undefined;

/**
 * Returns where SQLite sees the error of a statement that cannot be prepared, in bytes from the beginning of the text,
 * or `undefined` if SQLite knows no place. This is what `sqlite3_error_offset` returns, which node:sqlite does not offer.
 *
 * A message spells a name as the statement does at the place of the error. So the place is the name whose letters, when
 * they change between upper and lower case, which means the same to SQLite, also change in the message. The first name
 * that equals the one in the message would be wrong for a second `count(*)`, for views, and for names in texts.
 */
export function errorOffsetOf(message: string, text: string, parse: Parse): number | undefined {
  const known = [OF_EXPRESSION, OF_STATEMENT, OF_SYNTAX, OF_TERM, OF_PARAMETER, PROHIBITED];
  if (message !== OF_ROW && !known.some((each) => each.test(message))) return undefined;
  const at = new FailedStatement(message, text, parse).errorAt();
  return at === undefined ? undefined : Buffer.byteLength(text.slice(0, at));
}

interface Token {
  readonly at: number;
  readonly text: string;
  /** The text in lower case. */
  readonly word: string;
}

class FailedStatement {
  readonly #message: string;
  readonly #text: string;
  /** Those that begin within the limit of `SEARCHED` characters. */
  readonly #tokens: Token[] = [];
  readonly #parse: Parse;
  #room = PARSED_AGAIN;

  constructor(message: string, text: string, parse: Parse) {
    this.#message = message;
    this.#parse = parse;
    let end = text.length;
    let hasBody = false;
    for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
      if (at > SEARCHED) break;
      if (GAP.test(token)) continue;
      const word = token.toLowerCase();
      if (word === "trigger" && this.#tokens.length < 5) hasBody = true;
      if (word === ";" && !hasBody) {
        end = at;
        break;
      }
      this.#tokens.push({ at, text: token, word });
    }
    this.#text = text.slice(0, end);
  }

  errorAt(): number | undefined {
    const message = this.#message;
    if (OF_STAR.test(message)) {
      const star = this.#tokens.findIndex((_, index) => this.#isStar(index));
      if (star !== -1) return this.#tokens[star]?.at;
    }
    if (message === OF_ROW) return this.#rowOperandAt();
    if (OF_TERM.test(message)) return this.#termAt();
    if (OF_PARAMETER.test(message))
      return this.#tokens.find(({ word }) => /^\?\d/.test(word) && !isParameterNumber(word.slice(1)))?.at;
    const [, wrong] = OF_SYNTAX.exec(message) ?? [];
    if (wrong !== undefined) return this.#syntaxErrorAt(wrong);
    const [, prohibited] = PROHIBITED.exec(message) ?? [];
    if (prohibited !== undefined) return this.#prohibitedAt(prohibited);
    const spelt = this.#tokens.findIndex((token) => this.#isSpelt(token));
    if (spelt === -1) return undefined;
    if (!OF_EXPRESSION.test(message)) return this.#tokens[spelt]?.at;
    return this.#placeInExpression(this.#beginOfName(spelt));
  }

  /** Returns the place of a token, unless SQLite keeps none: in the condition of a join, and of a column after SET. */
  #placeInExpression(index: number): number | undefined {
    const token = this.#tokens[index];
    return token && !this.#isJoinOperand(index) && !this.#isAssigned(index, token) ? token.at : undefined;
  }

  #word(index: number): string {
    return this.#tokens[index]?.word ?? "";
  }

  /** Returns the message of the statement with another text in place of the token. */
  #messageWith(token: Token, other: string): string | undefined {
    return this.#messageOf(this.#text.slice(0, token.at) + other + this.#text.slice(token.at + token.text.length));
  }

  #messageOf(text: string): string | undefined {
    if (this.#room < 0) return undefined;
    this.#room -= text.length;
    return this.#parse(text);
  }

  /** Returns where the statement must not have this text. What is before it is the beginning of a valid statement. */
  #syntaxErrorAt(wrong: string): number | undefined {
    // OVER and FILTER are names unless a parenthesis follows. The illegal character keeps SQLite from running a pragma,
    // as it does while preparing one.
    const follows = /^(?:over|filter)$/i.test(wrong) ? " (" : "";
    const rest = this.#message.startsWith("near") ? `${follows} \u0001` : "";
    return this.#tokens.find(({ at }) => {
      const end = at + wrong.length;
      if (!this.#text.startsWith(wrong, at) || /^[\w$]{2}/.test(this.#text.slice(end - 1, end + 1))) return false;
      return this.#room < 0 || this.#messageOf(this.#text.slice(0, end) + rest) === this.#message;
    })?.at;
  }

  /** Returns whether the message is about this occurrence of a name. */
  #isSpelt(token: Token): boolean {
    const [plain = ""] = /[^"`[\]]+/.exec(token.text) ?? [];
    if (!NAME.test(token.text) || !this.#message.includes(plain || '""')) return false;
    if (this.#room < 0) return true;
    if (plain === "") return this.#messageWith(token, '"_"') !== this.#message;
    const swapped = swapCase(token.text);
    if (swapped !== token.text) {
      const message = this.#messageWith(token, swapped);
      return message !== this.#message && message?.toLowerCase() === this.#message.toLowerCase();
    }
    // A name without letters of English has no other case.
    const longer = `${plain}_`;
    const message = this.#messageWith(
      token,
      token.text.replace(plain, () => longer),
    );
    return message === undefined || message === this.#message.replaceAll(plain, () => longer);
  }

  /** Returns whether the message is about the columns that this star stands for. */
  #isStar(index: number): boolean {
    const [token, before] = [this.#tokens[index], this.#word(index - 1)];
    if (token?.word !== "*" || !/^(?:select|distinct|all|,|\.)$/.test(before)) return false;
    return this.#messageWith(token, before === "." ? "rowid" : "1") !== this.#message;
  }

  /** Returns the place of the number of a column in ORDER BY or GROUP BY. */
  #termAt(): number | undefined {
    const index = this.#tokens.findIndex(
      (token) => /^\d+$/.test(token.word) && this.#messageWith(token, "null") !== this.#message,
    );
    const isCompound = this.#tokens.slice(0, index).some(({ word }) => /^(?:union|intersect|except)$/.test(word));
    // SQLite keeps the place of a number alone only if it orders a compound SELECT.
    return isCompound || !/^(?:by|,)$/.test(this.#word(index - 1)) ? this.#tokens[index]?.at : undefined;
  }

  /** Returns the place of the first value that is compared with a row, such as `a` in `a + 1 = (1, 2)`. */
  #rowOperandAt(): number | undefined {
    const row = this.#tokens.findIndex((_, index) => COMPARING.test(this.#word(index - 1)) && this.#isRow(index));
    let operator = row - 1;
    if (this.#word(operator) === "and") {
      do operator -= 1;
      while (operator > 0 && !/^(?:between|and)$/.test(this.#word(operator)));
      if (this.#word(operator) !== "between") return undefined;
    }
    while (/^[=<>!]$/.test(this.#word(operator - 1))) operator -= 1;
    let closed = 0;
    let begin = operator;
    for (; begin > 0; begin -= 1) {
      const before = this.#word(begin - 1);
      if (before === ")") closed += 1;
      else if (before === "(" && closed > 0) closed -= 1;
      else if (closed === 0 && BEFORE_OPERAND.test(before)) break;
    }
    while (/^(?:[-+~]|\()$/.test(this.#word(begin)) && !this.#isRow(begin)) begin += 1;
    const isOperand = begin < operator && !/^(?:\(|select|values|with|case)$/.test(this.#word(begin));
    return isOperand ? this.#placeInExpression(begin) : undefined;
  }

  /** Returns whether a parenthesis here has values, or a SELECT of columns, with commas between them. */
  #isRow(index: number): boolean {
    if (this.#word(index) !== "(") return false;
    for (let at = index + 1, opened = 1; opened > 0 && at < this.#tokens.length; at += 1) {
      const word = this.#word(at);
      if (word === "," && opened === 1) return true;
      opened += word === "(" ? 1 : word === ")" ? -1 : 0;
    }
    return false;
  }

  #prohibitedAt(what: string): number | undefined {
    const operand = (end: number): number | undefined => this.#tokens[this.#beginOfName(end)]?.at;
    const open = this.#tokens.findIndex(({ word }) => word === "(");
    switch (what) {
      case "parameters":
        return this.#tokens.find(({ word }) => /^[?:@$#]/.test(word))?.at;
      case "non-deterministic functions":
        return this.#tokens.find(({ word }) => NON_DETERMINISTIC.test(word))?.at;
      case "subqueries": {
        const isIn = (index: number) =>
          /^in,\(,(?:select|values|with)$/.test([0, 1, 2].map((each) => this.#word(index + each)).join());
        const index = this.#tokens.findIndex((_, at) => isIn(at));
        return operand(index - (this.#word(index - 1) === "not" ? 2 : 1));
      }
      default:
        return operand(this.#tokens.findIndex(({ word }, index) => word === "." && index > open) - 1);
    }
  }

  /** Returns the index of the first part of a name such as `main.items.id`. */
  #beginOfName(index: number): number {
    let begin = index;
    while (this.#word(begin - 1) === ".") begin -= 2;
    return begin;
  }

  /** Returns whether a name is a column that SET names, where no expression may be. */
  #isAssigned(index: number, { at }: Token): boolean {
    if (!this.#tokens.slice(0, index).some(({ word }) => word === "set")) return false;
    return /^near "\+"/.test(this.#messageOf(`${this.#text.slice(0, at)}+${this.#text.slice(at)}`) ?? "");
  }

  /**
   * Returns whether a name is an operand of the condition of a join, also in parentheses and as an argument of a
   * function. Not in a list, after BETWEEN, within CASE, or in a subquery.
   */
  #isJoinOperand(index: number): boolean {
    let closed = 0;
    let commas = 0;
    let ands = 0;
    for (let at = index - 1; at >= 0; at -= 1) {
      const word = this.#word(at);
      if (word === ")" || word === "end") closed += 1;
      else if (closed > 0) closed -= word === "(" || word === "case" ? 1 : 0;
      else if (word === "(") {
        const before = this.#word(at - 1);
        const isCall =
          NAME.test(before) && !/^(?:on|and|or|not|is|like|glob|match|regexp|escape|between|in|case)$/.test(before);
        if (before === "in" || (commas > 0 && !isCall)) return false;
        commas = 0;
        ands = 0;
      } else if (word === ",") commas += 1;
      else if (word === "and") ands += 1;
      else if (word === "between" && ands < 2) return false;
      else if (word === "between") ands -= 2;
      else if (word === "on")
        return this.#tokens.slice(0, at).some(({ word }) => word === "from") && this.#word(at + 1) !== "conflict";
      else if (
        /^(?:select|values|where|group|having|order|limit|set|returning|when|then|else|over|filter|by)$/.test(word)
      )
        return false;
    }
    return false;
  }
}

const isParameterNumber = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 32_766;

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
