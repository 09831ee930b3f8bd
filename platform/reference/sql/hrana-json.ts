/**
 * Writes the JSON of the protocol (Hrana over HTTP and over WebSockets). The process that runs statements writes results,
 * and the server puts them into a response without parsing them, because parsing large results would take long and would
 * change floats such as -0.0. So arguments that these functions call JSON are inserted unchanged.
 */

import type { Value } from "./protocol";

/** The result of a statement. */
export interface StatementResult {
  /** JSON of the columns. */
  readonly cols: string;
  /** JSON of each row. */
  readonly rows: readonly string[];
  readonly affected: number;
  readonly lastId: string | null;
  readonly read: number;
  readonly written: number;
  readonly milliseconds: number;
}

interface Failure {
  readonly message: string;
  readonly code?: string | undefined;
  readonly extended?: string;
}

type Columns = readonly { readonly name: string; readonly type: string | null }[];

export const columnsJson = (columns: Columns): string =>
  JSON.stringify(columns.map(({ name, type }) => ({ name, decltype: type })));

/** Writes a row. Integers in the row must be `bigint` values. */
export const rowJson = (row: readonly unknown[]): string => `[${row.map(valueJson).join()}]`;

const valueJson = (value: unknown): string => {
  if (value === null) return '{"type":"null"}';
  if (typeof value === "bigint") return `{"type":"integer","value":"${value}"}`;
  if (typeof value === "number") return `{"type":"float","value":${floatJson(value)}}`;
  if (typeof value === "string") return `{"type":"text","value":${JSON.stringify(value)}}`;
  return `{"type":"blob","base64":"${base64(value as Uint8Array)}"}`;
};

/** Writes a float so that any JSON parser reads the same float. As in the public service, infinity is `null`. */
const floatJson = (value: number): string => (Object.is(value, -0) ? "-0.0" : JSON.stringify(value));

/** Encodes bytes as base64 without padding, as the protocol requires. */
const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64").replace(/=+$/, "");

export const resultJson = ({ cols, rows, affected, lastId, read, written, milliseconds }: StatementResult): string =>
  `{"cols":${cols},"rows":[${rows.join()}],"affected_row_count":${affected},"last_insert_rowid":${
    lastId === null ? "null" : `"${lastId}"`
  },"rows_read":${read},"rows_written":${written},"query_duration_ms":${milliseconds.toFixed(3)}}`;

export const errorJson = ({ message, code, extended: extended_code }: Failure): string =>
  JSON.stringify({ message, code, extended_code });

interface Description {
  /** The names of the parameters; `null` for a parameter without a name. */
  readonly parameters: readonly (string | null)[];
  readonly columns: Columns;
  readonly isExplain: boolean;
  readonly isReadOnly: boolean;
}

export const descriptionJson = ({ parameters, columns, isExplain, isReadOnly }: Description): string => {
  const params = JSON.stringify(parameters.map((name) => ({ name })));
  return `{"params":${params},"cols":${columnsJson(columns)},"is_explain":${isExplain},"is_readonly":${isReadOnly}}`;
};

/** The responses to requests. Results and errors are JSON. */
export const responseJson = {
  openStream: '{"type":"open_stream"}',
  closeStream: '{"type":"close_stream"}',
  openCursor: '{"type":"open_cursor"}',
  closeCursor: '{"type":"close_cursor"}',
  /** @param entries JSON of each entry. */
  fetchCursor: (entries: readonly string[], isDone: boolean): string =>
    `{"type":"fetch_cursor","entries":[${entries.join()}],"done":${isDone}}`,
  close: '{"type":"close"}',
  sequence: '{"type":"sequence"}',
  storeSql: '{"type":"store_sql"}',
  closeSql: '{"type":"close_sql"}',
  execute: (result: string): string => `{"type":"execute","result":${result}}`,
  /** Takes the result and the error of each step, which are `null` if the step has none. */
  batch: (results: readonly (string | null)[], errors: readonly (string | null)[]): string =>
    `{"type":"batch","result":{"step_results":[${listJson(results)}],"step_errors":[${listJson(errors)}]}}`,
  describe: (result: string): string => `{"type":"describe","result":${result}}`,
  autocommit: (is: boolean): string => `{"type":"get_autocommit","is_autocommit":${is}}`,
};

const listJson = (entries: readonly (string | null)[]): string => entries.map((entry) => entry ?? "null").join();

const SUCCEEDED = '{"type":"ok","response":';
const FAILED = '{"type":"error","error":';

/** @param response JSON of the response to a request of a pipeline. */
export const succeededJson = (response: string): string => `${SUCCEEDED}${response}}`;

/** @param error JSON of the error of a request of a pipeline. */
export const failedJson = (error: string): string => `${FAILED}${error}}`;

/** Returns the JSON of the response or of the error in the result of a request. */
export const contentOfResult = (result: string): { readonly response: string } | { readonly error: string } =>
  result.startsWith(SUCCEEDED)
    ? { response: result.slice(SUCCEEDED.length, -1) }
    : { error: result.slice(FAILED.length, -1) };

/** The messages of the server over a WebSocket. Responses and errors are JSON. */
export const messageJson = {
  helloOk: '{"type":"hello_ok"}',
  helloError: (error: string): string => `{"type":"hello_error","error":${error}}`,
  succeeded: (requestId: number, response: string): string =>
    `{"type":"response_ok","request_id":${requestId},"response":${response}}`,
  failed: (requestId: number, error: string): string =>
    `{"type":"response_error","request_id":${requestId},"error":${error}}`,
};

const batonJson = (baton: string | undefined): string =>
  `"baton":${baton === undefined ? "null" : JSON.stringify(baton)},"base_url":null`;

/** @param results JSON of each result. */
export const pipelineJson = (baton: string | undefined, results: readonly string[]): string =>
  `{${batonJson(baton)},"results":[${results.join()}]}`;

/** @param entries The lines of the cursor. */
export const cursorJson = (baton: string | undefined, entries: string): string => `{${batonJson(baton)}}\n${entries}`;

/** The entries of a cursor. */
export const entryJson = {
  /** @param cols JSON. */
  stepBegin: (step: number, cols: string): string => `{"type":"step_begin","step":${step},"cols":${cols}}`,
  /** @param row JSON. */
  row: (row: string): string => `{"type":"row","row":${row}}`,
  stepEnd: ({ affected, lastId, read, written }: StatementResult): string =>
    JSON.stringify({
      type: "step_end",
      affected_row_count: affected,
      last_insert_rowid: lastId,
      rows_read: read,
      rows_written: written,
    }),
  /** @param error JSON. */
  stepError: (step: number, error: string): string => `{"type":"step_error","step":${step},"error":${error}}`,
  /**
   * The last entry over HTTP, which shows the client that the response is complete. Over WebSockets, `done` does, and a
   * client does not know this entry.
   */
  end: '{"type":"replication_index","replication_index":null}',
};

/** Writes the entries of a cursor as lines. */
export const entryLines = (entries: readonly string[]): string => entries.map((entry) => `${entry}\n`).join("");

/** Writes the result of a statement as libSQL's first HTTP API does. */
export const plainResultJson = ({ cols, rows, read, written, milliseconds }: StatementResult): string => {
  const columns = (JSON.parse(cols) as Columns).map(({ name }) => name);
  return `{"results":{"columns":${JSON.stringify(columns)},"rows":[${rows.map(plainRowJson).join()}],"rows_read":${
    read
  },"rows_written":${written},"query_duration_ms":${milliseconds.toFixed(3)}}}`;
};

/** Converts the JSON of a row. */
const plainRowJson = (row: string): string => `[${(JSON.parse(row) as Value[]).map(plainValueJson).join()}]`;

const plainValueJson = (value: Value): string => {
  switch (value.type) {
    case "null":
      return "null";
    case "integer":
      return `${value.value}`;
    case "float":
      return plainFloatJson(value.value);
    case "text":
      return JSON.stringify(value.value);
    case "blob":
      return JSON.stringify({ base64: value.base64 });
  }
};

/** Writes a float so that parsers which tell integers from floats, such as those of Java, read a float. */
const plainFloatJson = (value: number): string => {
  const text = floatJson(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
};

/** Writes the error of a statement as libSQL's first HTTP API does, with SQLite's own words. */
export const plainErrorJson = ({ message }: Failure): string =>
  JSON.stringify({ error: message.replace(/^SQLite (?:input )?error: /, "") });

/** Writes the body of a response with an HTTP error. */
export const refusalJson = (message: string, code: string | undefined): string =>
  JSON.stringify({ error: message, message, ...(code && { code }) });
