import { message } from "../../../values/message";

/**
 * Reports a statement that the token or the configuration does not allow, or that would access something outside its
 * database.
 */
export const blockedBecause = message(
  (reason: string) => `Operation was blocked: ${reason}`,
  ["the token does not allow writes"],
);
export const notAllowed = message((what: string) => `${what} is not allowed`, ["VACUUM INTO"]);
export const pragmaNotAllowed = message(
  (name: string, hasValue: boolean) => `PRAGMA ${name}${hasValue ? " with a value" : ""} is not allowed`,
  ["journal_mode", true],
  ["database_list", false],
);
export const moduleNotAllowed = message((name: string) => `module ${name} is not allowed`, ["dbstat"]);
export const permissionMissing = message(
  (permission: string, table: string | null) => `the token lacks ${permission}${table === null ? "" : ` on ${table}`}`,
  ["data_add", "items"],
  ["schema_update", null],
);
/** @param permission The first permission that the token lacks on some table. */
export const triggerNeeds = message(
  (permission: string) =>
    `creating a trigger requires ${permission} on all tables, because a trigger runs with the rights of those who fire it`,
  ["data_read"],
);
export const IN_READ_ONLY = "the transaction was begun with READONLY";

/** The public service's error messages, which clients may recognize. */
export const unparsable = message(
  (reason: string) => `SQL string could not be parsed: ${reason}`,
  ['near "selec": syntax error'],
);
export const NUL = "unrecognized token: NUL";
export const inputError = message((reason: string) => `SQLite input error: ${reason}`, ["no such table: items"]);
export const sqliteError = message(
  (reason: string) => `SQLite error: ${reason}`,
  ["UNIQUE constraint failed: items.id"],
);
export const FULL = "database or disk is full";
export const NO_STATEMENT = "SQL string does not contain any statement";
export const MANY_STATEMENTS = "SQL string contains more than one statement";
export const TOO_LARGE = "Response is too large";
export const argumentsWrong = message(
  (reason: string) => `Arguments do not match SQL parameters: ${reason}`,
  ["value for parameter :id not found"],
);
export const BOTH_KINDS = "args and named_args cannot be used together";
export const tooMany = message(
  (given: number, expected: number) => `${given} values for ${expected} parameters`,
  [2, 1],
);
export const parameterUnknown = message((name: string) => `there is no parameter ${name}`, [":id"]);
export const valueMissing = message((parameter: string) => `value for parameter ${parameter} not found`, [":id"]);
export const notAnInteger = message((text: string) => `${text} is not a 64-bit integer`, ["9223372036854775808"]);

export const TRANSACTION_ENDED = "a dump cannot end its transaction early";

/** Reports why a stream was closed: its transaction was open while other streams wrote a lot. */
export const STREAM_ENDED =
  "The stream was closed and its transaction rolled back, because the log of the database became too long";

export const ATTACHED_BLOCKED =
  "The stream was closed, because it is no longer allowed to read a database that it has attached";

/** Reports that too many streams of a database are waiting for a stream that is writing. */
export const TOO_MANY = "SQLite error: database is locked, and too many other requests are waiting for it";
