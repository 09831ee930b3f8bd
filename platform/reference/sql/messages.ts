import { message } from "../../values/message";

export const NODE_TOO_OLD =
  "The SQL server requires Node.js 24.10 or newer, because older versions cannot restrict SQL statements. Update Node.js, or leave out --sql.";
export const FOLDER_MISSING =
  "With data in PostgreSQL, --sql needs a folder on this machine for the rows of the databases. Add --sql-folder <folder>.";
export const FOLDER_NEEDLESS =
  "--sql-folder is only for --sql with data in PostgreSQL. Leave it out; with data in a file, the rows are in a folder beside the file.";

/** @param place The folder of the databases, or the address of the data, which must not contain credentials. */
export const alreadyServed = message(
  (place: string) =>
    `Another server with --sql already uses ${place}. Stop that server, or start this one without --sql.`,
  ["shop.db-sql"],
  ["postgres://db.example/shop"],
);
export const folderOfOthers = message(
  (folder: string, place: string) =>
    `The folder ${folder} (--sql-folder) has rows of other data or files of another program. Nothing was changed. Use the folder of ${place}, or a new one, in which all databases are empty.`,
  ["/srv/rows", "postgres://db.example/shop"],
);
export const folderUnusable = message(
  (folder: string, reason: string) => `The folder ${folder} (--sql-folder) cannot be used: ${reason}`,
  ["/srv/rows", "EACCES: permission denied, mkdir '/srv/rows'"],
);
export const seedNotLoaded = message(
  (name: string, line: number | undefined, reason: string) =>
    `seed: the sql of database ${name} failed${line === undefined ? "" : ` at line ${line}`}: ${reason}`,
  ["orders", 3, "SQLite error: UNIQUE constraint failed: t.x"],
);

export const stopped = message(
  (seconds: number, gibibytes: number) =>
    `SQLite error: interrupted, because the statement ran for longer than ${seconds} seconds or used more than ${gibibytes} GiB of memory`,
  [5, 1],
);
export const ENGINE_ENDED = "The SQL engine exited before it responded, so the outcome of the statement is unknown";

export const noDatabase = message(
  (name: string) => `Namespace \`${name}\` doesn't exist`,
  ["71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b"],
);
export const TOKEN_MISSING = "Authentication is required but no JWT was specified";
export const addressRefused = message(
  (address: string) => `address ${address} is not allowed to connect to this database`,
  ["192.0.2.1"],
);
export const groupStopped = message((name: string) => `group ${name} is archived; unarchive it first`, ["default"]);

/** Reasons why a statement is blocked. `READS_BLOCKED` and `WRITES_BLOCKED` have the public service's wording. */
export const READS_BLOCKED = "SQL read operations are forbidden (reads are blocked, do you need to upgrade your plan?)";
export const WRITES_BLOCKED =
  "SQL write operations are forbidden (writes are blocked, do you need to upgrade your plan?)";
export const NOT_READING = "the token does not allow reads";
export const NOT_WRITING = "the token does not allow writes";

/** Protocol errors. Clients may show them to their users. */
export const BATON_INVALID = "Received an invalid baton";
export const BATON_REUSED = "Received a baton that has already been used";
export const TOO_MANY_STREAMS = "Too many concurrent requests";
export const TEXTS_TOO_LARGE = "The SQL texts stored on the stream are too large";
export const STREAM_EXPIRED = "The stream has expired due to inactivity";
export const STREAM_LOST = "The stream was closed, because a statement on another stream ran too long";
export const SQL_AND_ID = "Either `sql` or `sql_id` are required, but not both";
export const SQL_OR_ID = "Either `sql` or `sql_id` are required";
export const sqlNotFound = message((id: number) => `SQL text ${id} not found`, [7]);
export const CLOSE_NOT_LAST = "A `close` request must be the last request of a pipeline";
export const NOT_BASE64 = "must be base64, with or without padding";
export const BAD_STEP = "Invalid reference to step in a batch condition";
export const fileInvalid = message(
  (reason: string) => `the uploaded file is not a SQLite database: ${reason}`,
  ["SQLite error: file is not a database"],
);
export const fileTooLarge = message(
  (bytes: number) => `the file is larger than the ${bytes} bytes that this database may have`,
  [1_073_741_824],
);
export const hasRows = message(
  (name: string) => `database ${name} is in use already; a file can only be uploaded to a new database`,
  ["orders"],
);
export const UPLOAD_INCOMPLETE = "the parts of the file do not have the size that was announced";
export const UPLOAD_UNKNOWN = "there is no such upload";
export const WELCOME = "Hello, this is HTTP API v2 (Hrana over HTTP)";
