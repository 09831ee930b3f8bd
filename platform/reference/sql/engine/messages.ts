import type { Facts } from "../../../values/facts";

export const blockedBecause = ({ reason }: Facts<"reason">) => `Operation was blocked: ${reason}`;
export const notAllowed = ({ feature }: Facts<"feature">) => `${feature} is not allowed`;
export const pragmaNotAllowed = ({ name, hasValue }: Facts<"name" | "hasValue">) =>
  `PRAGMA ${name}${hasValue ? " with a value" : ""} is not allowed`;
export const permissionMissing = ({ permission, table }: Facts<"permission" | "table">) =>
  `the token lacks ${permission}${table === null ? "" : ` on ${table}`}`;
export const triggerNeeds = ({ permission }: Facts<"permission">) =>
  `creating a trigger requires ${permission} on all tables, because a trigger runs with the rights of those who fire it`;
export const IN_READ_ONLY = "the transaction was begun with READONLY";

/** The public service's error messages, which clients may recognize. */
export const unparsable = ({ reason }: Facts<"reason">) => `SQL string could not be parsed: ${reason}`;
export const syntaxError = ({ text }: Facts<"text">) => `near "${text}": syntax error`;
export const NUL = "unrecognized token: NUL";
export const inputError = ({ reason }: Facts<"reason">) => `SQLite input error: ${reason}`;
export const sqliteError = ({ reason }: Facts<"reason">) => `SQLite error: ${reason}`;
export const alsoRenames = ({ name, given, offset }: Facts<"name" | "given" | "offset">) =>
  `UPDATE cannot also rename column: "${name}" to "${given}". Use ALTER TABLE RENAME instead (at offset ${offset})`;
export const noSuchColumn = ({ name }: Facts<"name">) => `no such column: "${name}"`;
export const alterationRefused = ({ declaration, table, reason }: Facts<"declaration" | "table" | "reason">) =>
  `error in adding ${declaration} to ${table}: ${reason}`;
export const constraintFixed = ({ kind }: Facts<"kind">) => `${kind} constraint cannot be altered`;
export const FULL = "database or disk is full";
export const NO_STATEMENT = "SQL string does not contain any statement";
export const MANY_STATEMENTS = "SQL string contains more than one statement";
export const TOO_LARGE = "Response is too large";
export const argumentsWrong = ({ reason }: Facts<"reason">) => `Arguments do not match SQL parameters: ${reason}`;
export const BOTH_KINDS = "args and named_args cannot be used together";
export const tooMany = ({ valueCount, parameterCount }: Facts<"valueCount" | "parameterCount">) =>
  `${valueCount} values for ${parameterCount} parameters`;
export const parameterUnknown = ({ parameter }: Facts<"parameter">) => `there is no parameter ${parameter}`;
export const valueMissing = ({ parameter }: Facts<"parameter">) => `value for parameter ${parameter} not found`;
export const notAnInteger = ({ text }: Facts<"text">) => `${text} is not a 64-bit integer`;
export const TRANSACTION_ENDED = "a dump cannot end its transaction early";
export const STREAM_ENDED =
  "The stream was closed and its transaction rolled back, because the log of the database became too long";
export const ATTACHED_BLOCKED =
  "The stream was closed, because it is no longer allowed to read a database that it has attached";
export const TOO_MANY = "SQLite error: database is locked, and too many other requests are waiting for it";
