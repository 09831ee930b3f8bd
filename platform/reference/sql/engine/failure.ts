import { errorOffsetOf } from "./error-offset";
import type { JobFailure } from "./jobs";
import {
  blockedBecause,
  FULL,
  inputError,
  sqliteError,
  unparsable,
  VECTOR_INDEX_EXISTS,
  vectorFunctionElsewhere,
  vectorIndexElsewhere,
} from "./messages";

/** A failed statement, with the error code that the public service reports. */
export class SqlFailure extends Error implements JobFailure {
  override readonly name = "SqlFailure";

  constructor(
    override readonly message: string,
    readonly code: string,
    readonly line?: number,
    /** Whether a commit by another stream has made the transaction's snapshot stale. */
    readonly isStale = false,
    /** The kind of constraint that was violated, such as `SQLITE_CONSTRAINT_UNIQUE`. */
    readonly extended?: string,
    /** Whether the failure ends the stream, and so rolls back its transaction. */
    readonly endsStream = false,
  ) {
    super(message);
  }
}

/** Names of SQLite's primary result codes, as the public service reports them. */
const NAMES: Readonly<Record<number, string>> = {
  2: "SQLITE_INTERNAL",
  3: "SQLITE_PERM",
  4: "SQLITE_ABORT",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  9: "SQLITE_INTERRUPT",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  12: "SQLITE_NOTFOUND",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  17: "SQLITE_SCHEMA",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  23: "SQLITE_AUTH",
  25: "SQLITE_RANGE",
  26: "SQLITE_NOTADB",
};

/** Names of SQLite's extended result codes for constraints. */
const CONSTRAINTS: Readonly<Record<number, string>> = {
  275: "CHECK",
  531: "COMMITHOOK",
  787: "FOREIGNKEY",
  1043: "FUNCTION",
  1299: "NOTNULL",
  1555: "PRIMARYKEY",
  1811: "TRIGGER",
  2067: "UNIQUE",
  2323: "VTAB",
  2579: "ROWID",
  2835: "PINNED",
  3091: "DATATYPE",
};

/** SQLite's extended result code for a transaction that cannot start writing because its snapshot is stale. */
const BUSY_SNAPSHOT = 517;

/** Matches errors that libSQL's parser finds before SQLite sees the statement. */
const PARSE =
  /^(?:near ".*": syntax error$|unrecognized token: |incomplete input$|unknown table option: |duplicate WITH table name: |HAVING clause on a non-aggregate query$)/s;

/** Matches errors in UPDATE and DELETE that libSQL's parser leaves to SQLite. */
const NOT_PARSE = /^near "(?:order|limit)": syntax error$/i;

const isParseError = (message: string, text: string): boolean =>
  (PARSE.test(message) && !NOT_PARSE.test(message)) ||
  (/^create\b/i.test(text) && /^duplicate column name: /.test(message));

/** Returns whether a statement failed because another stream is writing, so that a retry may succeed. */
export const isBusySqlFailure = (thrown: unknown): boolean =>
  thrown instanceof SqlFailure && thrown.code === "SQLITE_BUSY" && !thrown.isStale;

export const isReadOnlySqlFailure = (thrown: unknown): boolean =>
  thrown instanceof SqlFailure && thrown.code === "SQLITE_READONLY";

/** The statement that failed, so that the place of the error can be found in it. */
export interface FailingStatement {
  /** The SQL from the beginning of the statement. */
  readonly text: string;
  /** The SQL before the statement that counts towards the place of the error. */
  readonly before: string;
  /** Whether the statement is described. libSQL's parser does not see such a statement. */
  readonly isDescribed: boolean;
  /** Prepares another text, and returns the message with which that fails. */
  readonly parse: (text: string) => string | undefined;
}

/** Converts an SQLite error to the form of the public service. Returns other errors unchanged. */
export function sqlFailureOf(thrown: unknown, failing?: FailingStatement): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if ("code" in thrown && thrown.code === "ENOSPC") return new SqlFailure(sqliteError({ reason: FULL }), "SQLITE_FULL");
  if (!("errcode" in thrown)) return thrown;
  const { message } = thrown;
  const missing = missingVectorFeature(message);
  if (missing !== undefined) return blockedSqlFailure(missing);
  const exact = Number(thrown.errcode);
  // The lower byte is the primary result code. The upper bytes hold details.
  const code = exact & 0xff;
  if (code === 1 && failing) {
    const { text, before, isDescribed, parse } = failing;
    if (!isDescribed && isParseError(message, text))
      return new SqlFailure(unparsable({ reason: message }), "SQL_PARSE_ERROR");
    const offset = errorOffsetOf(message, text, parse);
    if (offset !== undefined) {
      const place = Buffer.byteLength(before) + offset;
      return new SqlFailure(inputError({ reason: message, offset: place }), "SQL_INPUT_ERROR");
    }
  }
  const name = NAMES[code] ?? "SQLITE_UNKNOWN";
  const constraint = CONSTRAINTS[exact];
  const extended = constraint === undefined ? undefined : `${name}_${constraint}`;
  return new SqlFailure(sqliteError({ reason: message }), name, undefined, exact === BUSY_SNAPSHOT, extended);
}

/** Matches messages about vector features that only libSQL has. */
const VECTOR_FEATURE =
  /^no such (?:function|table): (?:\w+\.)?(?:(libsql_vector_idx|vector_top_k)|(vector8|vector16|vectorb16|vector1bit))$/i;

/** Returns what to use instead, if SQLite's message names a vector function of libSQL that this server does not have. */
function missingVectorFeature(message: string): string | undefined {
  if (message === "unknown function: libsql_vector_idx()") return VECTOR_INDEX_EXISTS;
  const [, index, vectorType] = VECTOR_FEATURE.exec(message) ?? [];
  if (index !== undefined) return vectorIndexElsewhere({ name: index });
  return vectorType === undefined ? undefined : vectorFunctionElsewhere({ name: vectorType });
}

/**
 * The error code for a past state that is no longer kept. The error's message is the earliest instant whose state can
 * still be copied.
 */
export const NOT_KEPT = "NOT_KEPT";

/** Returns whether a copy failed because the rows are no longer kept for its point in time. */
export const isNotKeptSqlFailure = (thrown: unknown): thrown is SqlFailure =>
  thrown instanceof SqlFailure && thrown.code === NOT_KEPT;

/** @param endsStream Whether the refusal ends the stream, and so rolls back its transaction. */
export const blockedSqlFailure = (reason: string, endsStream = false): SqlFailure =>
  new SqlFailure(blockedBecause({ reason }), "BLOCKED", undefined, false, undefined, endsStream);
