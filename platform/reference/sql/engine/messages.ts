import type { Facts } from "../../../values/facts";

export const blockedBecause = ({ reason }: Facts<"reason">) => `Operation was blocked: ${reason}`;
export const notAllowed = ({ feature }: Facts<"feature">) => `${feature} is not allowed`;
export const pragmaNotAllowed = ({ name, hasValue }: Facts<"name"> & { readonly hasValue: boolean }) =>
  `PRAGMA ${name}${hasValue ? " with a value" : ""} is not allowed`;
export const DATABASE_LIST =
  "PRAGMA database_list is only allowed as a statement of its own, because within a query it would show a path of the server";
export const permissionMissing = ({ permission, table }: Facts<"permission"> & { readonly table: string | null }) =>
  `the token lacks ${permission}${table === null ? "" : ` on ${table}`}`;
export const NO_JOIN_BY_NAME =
  "a token that may not read all tables cannot join with USING or NATURAL, because SQLite does not report which columns these compare; use ON";
export const triggerNeeds = ({ permission }: Facts<"permission">) =>
  `creating a trigger requires ${permission} on all tables, because a trigger runs with the rights of those who fire it`;
export const IN_READ_ONLY = "the transaction was begun with READONLY";

/** The public service's error messages, which clients may recognize. */
export const unparsable = ({ reason }: Facts<"reason">) => `SQL string could not be parsed: ${reason}`;
export const syntaxError = ({ text }: Facts<"text">) => `near "${text}": syntax error`;
export const NUL = "unrecognized token: NUL";
export const inputError = ({ reason, offset }: Facts<"reason"> & { readonly offset: number }) =>
  `SQLite input error: ${reason} (at offset ${offset})`;
export const sqliteError = ({ reason }: Facts<"reason">) => `SQLite error: ${reason}`;
export const alsoRenames = ({ name, given }: Facts<"name" | "given">) =>
  `UPDATE cannot also rename column: "${name}" to "${given}". Use ALTER TABLE RENAME instead`;
export const noSuchColumn = ({ name }: Facts<"name">) => `no such column: "${name}"`;
export const alterationRefused = ({ declaration, table, reason }: Facts<"declaration" | "table" | "reason">) =>
  `error in adding ${declaration} to ${table}: ${reason}`;
export const constraintFixed = ({ kind }: Facts<"kind">) => `${kind} constraint cannot be altered`;
export const FULL = "database or disk is full";
export const NO_STATEMENT = "SQL string does not contain any statement";
export const MANY_STATEMENTS = "SQL string contains more than one statement";
export const NOT_INTERACTIVE =
  "The statements left a transaction open, which was rolled back. Send COMMIT in the same request, or use POST v3/pipeline";
export const TOO_LARGE = "Response is too large";
export const argumentsWrong = ({ reason }: Facts<"reason">) => `Arguments do not match SQL parameters: ${reason}`;
export const BOTH_KINDS = "args and named_args cannot be used together";
export const tooMany = ({
  valueCount,
  parameterCount,
}: {
  readonly valueCount: number;
  readonly parameterCount: number;
}) => `${valueCount} values for ${parameterCount} parameters`;
export const parameterUnknown = ({ parameter }: Facts<"parameter">) => `there is no parameter ${parameter}`;
export const valueMissing = ({ parameter }: Facts<"parameter">) => `value for parameter ${parameter} not found`;
export const notAnInteger = ({ text }: Facts<"text">) => `${text} is not a 64-bit integer`;
export const TRANSACTION_ENDED = "a dump cannot end its transaction early";
export const STREAM_ENDED =
  "The stream was closed and its transaction rolled back, because the log of the database became too long";
export const ATTACHED_BLOCKED =
  "The stream was closed, because it is no longer allowed to read a database that it has attached";
export const TOO_MANY = "SQLite error: database is locked, and too many other requests are waiting for it";

/** The errors of libSQL's vector functions. */
export const vectorValueWrong = ({ valueType }: Facts<"valueType">) =>
  `vector: unexpected value type: got ${valueType}, expected TEXT or BLOB`;
export const VECTOR_OPEN_MISSING = "vector: must start with '['";
export const VECTOR_CLOSE_MISSING = "vector: must end with ']'";
export const VECTOR_TAIL = "vector: non-space symbols after closing ']' are forbidden";
export const floatInvalid = ({ position, text }: Facts<"text"> & { readonly position: number }) =>
  `vector: invalid float at position ${position}: '${text}'`;
export const floatTooLong = ({ text }: Facts<"text">) =>
  `vector: float string length exceeded 1024 characters: '${text}'`;
export const vectorTextTooLong = ({ largest }: { readonly largest: number }) => `vector: max size exceeded ${largest}`;
export const vectorTooLong = ({ dimensions, largest }: { readonly dimensions: number; readonly largest: number }) =>
  `vector: max size exceeded: ${dimensions} > ${largest}`;
export const vectorTypeUnknown = ({ vectorType }: { readonly vectorType: number }) =>
  `vector: unexpected binary type: ${vectorType}`;
export const float32BlobUneven = ({ vectorBytes }: { readonly vectorBytes: number }) =>
  `vector: float32 vector blob length must be divisible by 4 (excluding optional 'type'-byte): length=${vectorBytes}`;
export const float64BlobUneven = ({ vectorBytes }: { readonly vectorBytes: number }) =>
  `vector: float64 vector blob length must be divisible by 8 (excluding 'type'-byte): length=${vectorBytes}`;
export const float32BlobIncomplete = ({
  dimensions,
  vectorBytes,
}: {
  readonly dimensions: number;
  readonly vectorBytes: number;
}) => `vector: unexpected data part size: type=1, dims=${dimensions}, ${vectorBytes} != ${4 * dimensions}`;
export const vectorTypesDiffer = ({
  vectorType,
  otherVectorType,
}: {
  readonly vectorType: number;
  readonly otherVectorType: number;
}) => `vector_distance: vectors must have the same type: ${vectorType} != ${otherVectorType}`;
export const vectorLengthsDiffer = ({
  dimensions,
  otherDimensions,
}: {
  readonly dimensions: number;
  readonly otherDimensions: number;
}) => `vector_distance: vectors must have the same length: ${dimensions} != ${otherDimensions}`;

/** Messages about vector features that only libSQL has. */
export const vectorTypeElsewhere = ({ vectorName }: Facts<"vectorName">) =>
  `vector: ${vectorName} vectors are not supported here, only those of vector32 and vector64`;
export const vectorFunctionElsewhere = ({ name }: Facts<"name">) =>
  `${name} is not supported here. Use vector32 or vector64`;
export const vectorIndexElsewhere = ({ name }: Facts<"name">) =>
  `${name} is not supported here, because this server has no vector indexes. Search all rows: select … from <table> order by vector_distance_cos(<column>, vector32(?)) limit <number>`;
export const VECTOR_INDEX_EXISTS = `the table has a vector index (libsql_vector_idx), which this server does not have. To change rows, drop the index with the statement that this returns: select format('drop index "%w"', name) from sqlite_schema where type = 'index' and sql like '%libsql_vector_idx(%'`;
