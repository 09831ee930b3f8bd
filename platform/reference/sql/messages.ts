import type { Facts } from "../../values/facts";

export const NODE_TOO_OLD =
  "The SQL server requires Node.js 24.10 or newer, because older versions cannot restrict SQL statements. Update Node.js, or leave out --sql.";
export const FOLDER_MISSING =
  "With data in PostgreSQL, --sql needs a folder on this machine for the rows of the databases. Add --sql-folder <folder>.";
export const FOLDER_NEEDLESS =
  "--sql-folder is only for --sql with data in PostgreSQL. Leave it out; with data in a file, the rows are in a folder beside the file.";
export const alreadyServed = ({ place }: Facts<"place">) =>
  `Another server with --sql already uses ${place}. Stop that server, or start this one without --sql.`;
export const folderOfOthers = ({ folder, place }: Facts<"folder" | "place">) =>
  `The folder ${folder} (--sql-folder) has rows of other data or files of another program. Nothing was changed. Use the folder of ${place}, or a new one, in which all databases are empty.`;
export const folderUnusable = ({ folder, reason }: Facts<"folder" | "reason">) =>
  `The folder ${folder} (--sql-folder) cannot be used: ${reason}`;
export const seedNotLoaded = ({
  name,
  line,
  reason,
}: Facts<"name" | "reason"> & { readonly line?: number | undefined }) =>
  `seed: the sql of database ${name} failed${line === undefined ? "" : ` at line ${line}`}: ${reason}`;
export const statementStopped = ({ seconds, gibibytes }: { readonly seconds: number; readonly gibibytes: number }) =>
  `SQLite error: interrupted, because the statement ran for longer than ${seconds} seconds or used more than ${gibibytes} GiB of memory`;
export const ENGINE_ENDED = "The SQL engine exited before it responded, so the outcome of the statement is unknown";
export const namespaceMissing = ({ name }: Facts<"name">) => `Namespace \`${name}\` doesn't exist`;
export const TOKEN_MISSING = "Authentication is required but no JWT was specified";
export const addressRefused = ({ ipAddress }: Facts<"ipAddress">) =>
  `address ${ipAddress} is not allowed to connect to this database`;

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
export const TOO_MANY_DUMPS =
  "Too many dumps of this database are being read at the same time. Try again when one of them has ended.";
export const DUMP_UNREAD = "A dump was ended, because its client had stopped reading it";
export const TEXTS_TOO_LARGE = "The SQL texts stored on the stream are too large";
export const STREAM_EXPIRED = "The stream has expired due to inactivity";
export const STREAM_LOST = "The stream was closed, because a statement on another stream ran too long";
export const SNAPSHOT_LOADED = "The stream was closed, because a snapshot of the platform was loaded";
export const SERVER_RESET = "The stream was closed, because the platform was reset";
export const STREAM_FAILED = "The stream was closed, because an earlier request on it failed";
export const STREAM_CLOSED = "The stream is closed";
export const STREAM_NOT_OPEN = "The stream could not be opened";
export const CURSOR_NOT_OPEN = "The cursor could not be opened";
export const SQL_AND_ID = "Either `sql` or `sql_id` are required, but not both";
export const SQL_OR_ID = "Either `sql` or `sql_id` are required";
export const sqlNotFound = ({ sqlId }: { readonly sqlId: number }) => `SQL text ${sqlId} not found`;
export const CLOSE_NOT_LAST = "A `close` request must be the last request of a pipeline";
export const NOT_BASE64 = "must be base64, with or without padding";
export const BAD_STEP = "Invalid reference to step in a batch condition";
export const fileInvalid = ({ reason }: Facts<"reason">) => `the uploaded file is not a SQLite database: ${reason}`;
export const fileTooLarge = ({ mostBytes }: { readonly mostBytes: number }) =>
  `the file is larger than the ${mostBytes} bytes that this database may have`;
export const hasRows = ({ name }: Facts<"name">) =>
  `database ${name} is in use already; a file can only be uploaded to a new database`;
export const UPLOAD_INCOMPLETE = "the parts of the file do not have the size that was announced";
export const UPLOAD_UNKNOWN = "there is no such upload";

/** Reasons why a WebSocket is not opened, or closed. A reason has at most 123 bytes. */
export const subprotocolUnknown = ({ choices }: { readonly choices: readonly string[] }) =>
  `Only these WebSocket subprotocols are supported: ${choices.join(", ")}`;
export const MESSAGE_NOT_TEXT = "A message must be text with JSON";
export const HELLO_MISSING = "The first message must be a `hello`";
export const HELLO_REFUSED = "The `hello` was refused";
export const requestTooNew = ({ requestType, protocol }: Facts<"requestType" | "protocol">) =>
  `A \`${requestType}\` needs at least the subprotocol ${protocol}`;
export const idInUse = ({ opened, openedId }: { readonly opened: "stream" | "cursor"; readonly openedId: number }) =>
  `There is already a ${opened} with the id ${openedId}`;
export const idUnknown = ({ opened, openedId }: { readonly opened: "stream" | "cursor"; readonly openedId: number }) =>
  `There is no ${opened} with the id ${openedId}`;
export const cursorIsOpen = ({ openedId }: { readonly openedId: number }) =>
  `The stream with the id ${openedId} already has a cursor`;
export const SOCKET_CLOSED = "The WebSocket was closed";
export const SERVER_STOPS = "The server stops";
export const SERVER_FAILED = "Internal error of the server";
export const WELCOME = "Hello, this is HTTP API v2 (Hrana over HTTP)";
export const rowsMissing = ({
  folder,
  named,
  others,
}: Facts<"folder" | "named"> & { readonly others: readonly string[] }) =>
  `the data needs the rows "${named}", but ${folder} has only "${others.join('", "')}", so the data and this folder are from different backups. Nothing was changed. Restore both from the same backup, or rename the folder to start with empty databases`;
export const swapUnfinished = ({ folder }: Facts<"folder">) =>
  `an earlier version was stopped while it replaced all rows in ${folder}. Nothing was changed. Start that version once more, which completes or undoes the replacement, and then start this one`;
export const rowsDamaged = ({ file }: Facts<"file">) =>
  `the file ${file} is missing, or is not as it was saved. If the snapshot is in a repository, check that .gitignore does not exclude the file`;
export const usageChanged = ({ file }: Facts<"file">) =>
  `another program has changed ${file} in the folder with the rows. Remove the file; only the usage of the databases is lost`;
export const USAGE_NOT_STORABLE =
  "The usage of the databases is not saved, because it has a wrong value. This is a defect of the reference API; please report it.";
