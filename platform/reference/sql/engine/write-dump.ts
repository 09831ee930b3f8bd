import { isUtf8 } from "node:buffer";
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { setImmediate as moment } from "node:timers/promises";
import { code } from "../../../values/code";
import { sqlIdentifier, sqlTextLiteral } from "../../../values/sql-quoting";
import type { SqliteConnection } from "./connection";
import { sqlFailureOf } from "./failure";
import type { Turn } from "./watchdog";

/** How many bytes are written to the file at once, and how many bytes of a value are converted at once. */
const PIECE = 256 * 1024;

/** After this many milliseconds, a dump yields to other jobs. */
const MOMENT_MS = 10;

/** The maximum number of columns in a result of SQLite. */
const MOST_COLUMNS = 2_000;

interface Writing {
  readonly connection: SqliteConnection;
  readonly file: DumpFile;
  readonly turn: Turn;
}

/**
 * Writes the content of a database to an existing file, as SQL that `loadDump`, clients and the `sqlite3` command
 * accept. Writes the same bytes when it runs again. Stops when the file has been removed.
 *
 * @throws SqlFailure if the database cannot be read, or the disk is full.
 */
export async function writeDump(connection: SqliteConnection, path: string, turn: Turn): Promise<void> {
  const file = new DumpFile(path);
  try {
    await writeSchemaAndRows({ connection, file, turn });
    file.flush();
  } catch (thrown) {
    throw sqlFailureOf(thrown);
  } finally {
    file.close();
  }
}

/**
 * Virtual tables are filled by way of their shadow tables, because an index without content, and options such as `rank`,
 * are only there. Each kind of object follows those that its statement can refer to.
 */
async function writeSchemaAndRows(writing: Writing): Promise<void> {
  const { file } = writing;
  file.write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n");
  const tables = schemaRows(writing, TABLES);
  const ofType = (wanted: string) => tables.filter(([, , type]) => type === wanted);
  for (const [name, sql] of ofType("table")) {
    file.write(`${bytesOf(sql)};\n`);
    await writeRows(name, writing);
  }
  for (const [, sql] of schemaRows(writing, VIEWS)) file.write(`${bytesOf(sql)};\n`);
  for (const [, sql] of ofType("virtual")) file.write(`${bytesOf(sql)};\n`);
  for (const [name, sql] of ofType("shadow")) {
    // The virtual table has created most of its shadow tables, with rows of an empty index.
    file.write(`${bytesOf(sql.replace(/^CREATE TABLE /, code`CREATE TABLE IF NOT EXISTS `))};\n`);
    file.write(`DELETE FROM ${bytesOf(sqlIdentifier(name))};\n`);
    await writeRows(name, writing);
  }
  for (const [, sql] of schemaRows(writing, INDEXES_AND_TRIGGERS)) file.write(`${bytesOf(sql)};\n`);
  for (const [name] of schemaRows(writing, INTERNAL)) {
    // Creates the table of statistics. When the dump is loaded, the inserts above also insert rows into the other one.
    file.write(name === "sqlite_stat1" ? "ANALYZE sqlite_schema;\n" : `DELETE FROM ${name};\n`);
    await writeRows(name, writing);
  }
  file.write("COMMIT;\n");
}

const TABLES = code`select s.name, s.sql, l.type from sqlite_schema s join pragma_table_list l on l.schema = 'main' and l.name = s.name
  where s.type = 'table' and s.sql is not null and s.name not like 'sqlite~_%' escape '~' order by s.rowid`;

const VIEWS = code`select name, sql, type from sqlite_schema where type = 'view' order by rowid`;

const INDEXES_AND_TRIGGERS = code`select name, sql, type from sqlite_schema where type in ('index', 'trigger') and sql is not null
  order by type, rowid`;

const INTERNAL = code`select name, sql, type from sqlite_schema where name in ('sqlite_sequence', 'sqlite_stat1') order by name`;

const schemaRows = ({ connection, turn }: Writing, query: string): [name: string, sql: string, type: string][] =>
  turn.guard(() => connection.own(query)) as [string, string, string][];

async function writeRows(name: string, { connection, file, turn }: Writing): Promise<void> {
  const table = sqlIdentifier(name);
  const { columns, isUnicode } = turn.guard(() => columnsOf(connection, name));
  // The bytes of a text are read as a blob, because a text that is not UTF-8 would lose some of them.
  const isExact = isUnicode && 2 * columns.length <= MOST_COLUMNS;
  const values = isExact
    ? columns.map(
        (each) => code`iif(typeof(${each}) = 'text', cast(${each} as blob), ${each}), typeof(${each}) = 'text'`,
      )
    : columns;
  const into = bytesOf(code`INSERT INTO ${table}(${columns.join()}) VALUES(`);
  const rows = connection.rows(code`select ${values.join()} from ${table}`)[Symbol.iterator]();
  const step = isExact ? 2 : 1;
  for (let since = performance.now(); ; ) {
    const { done, value: row } = turn.guard(() => rows.next());
    if (done) return;
    file.write(into);
    for (let at = 0; at < row.length; at += step) {
      if (at > 0) file.write(",");
      writeLiteral(file, row[at], isExact && row[at + 1] === 1n);
    }
    file.write(");\n");
    if (performance.now() - since < MOMENT_MS) continue;
    file.flush();
    file.assertWanted();
    await moment();
    since = performance.now();
  }
}

/** Returns the columns whose values a dump has, including the rowid if no column has it, and whether texts are UTF-8. */
function columnsOf(
  connection: SqliteConnection,
  name: string,
): { readonly columns: readonly string[]; readonly isUnicode: boolean } {
  const table = sqlTextLiteral(name);
  const all = connection.own(code`select name, hidden, pk from pragma_table_xinfo(${table})`) as [
    string,
    number,
    number,
  ][];
  const columns = all.filter(([, hidden]) => hidden === 0).map(([column]) => sqlIdentifier(column));
  const [[hasRowid, hasKeyIndex, encoding] = []] = connection.own(
    code`select not wr, exists (select 1 from pragma_index_list(${table}) where origin = 'pk'), (select encoding from pragma_encoding)
    from pragma_table_list where schema = 'main' and name = ${table}`,
  );
  // Only a primary key that is the rowid has no index.
  const isRowidColumn = hasKeyIndex === 0 && all.some(([, , key]) => key > 0);
  const taken = new Set(all.map(([column]) => column.toLowerCase()));
  const rowid = ["rowid", "_rowid_", "oid"].find((each) => !taken.has(each));
  const needsRowid = hasRowid === 1 && !isRowidColumn && rowid !== undefined;
  return { columns: needsRowid ? [rowid, ...columns] : columns, isUnicode: encoding === "UTF-8" };
}

/** The file of a dump. Texts to write have a character for each byte, as `bytesOf` returns them. */
class DumpFile {
  readonly #path: string;
  readonly #file: number;
  #text = "";

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r+");
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.flush();
  }

  flush(): void {
    const bytes = Buffer.from(this.#text, "latin1");
    this.#text = "";
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  /** @throws Error if the file has been removed, because nobody reads the dump any more. */
  assertWanted(): void {
    if (!existsSync(this.#path)) throw new Error(`${this.#path} was removed`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Returns a text with a character for each byte of the given text. */
const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

/** Writes a value piece by piece, because a value can have 64 MiB. */
function writeLiteral(file: DumpFile, value: unknown, isText: boolean): void {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (isText) writeText(file, bytes);
    else writeBlob(file, bytes);
  } else if (typeof value === "string") writeText(file, Buffer.from(value));
  else file.write(sqlNumber(value));
}

function writeText(file: DumpFile, bytes: Buffer): void {
  // SQLite ends a literal at a NUL, and the `sqlite3` command reads CR LF as LF.
  if (bytes.includes(0) || bytes.includes("\r") || !isUtf8(bytes)) {
    file.write("CAST(");
    writeBlob(file, bytes);
    file.write(" AS TEXT)");
    return;
  }
  file.write("'");
  for (let at = 0; at < bytes.length; at += PIECE)
    file.write(bytes.toString("latin1", at, at + PIECE).replaceAll("'", "''"));
  file.write("'");
}

function writeBlob(file: DumpFile, bytes: Buffer): void {
  file.write("X'");
  for (let at = 0; at < bytes.length; at += PIECE) file.write(bytes.toString("hex", at, at + PIECE));
  file.write("'");
}

function sqlNumber(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? sqlReal(value) : String(value);
}

/** Writes a float as a literal that SQLite does not read as an integer. */
function sqlReal(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (!Number.isFinite(value)) return value > 0 ? "9.0e+999" : "-9.0e+999";
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
