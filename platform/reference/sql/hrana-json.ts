/**
 * Writes the JSON of the protocol (Hrana over HTTP). The process that runs statements writes results, and the server
 * puts them into a response without parsing them, because parsing large results would take long and would change floats
 * such as -0.0. So arguments that these functions call JSON are inserted unchanged.
 */

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
  readonly code: string;
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

/** The responses to the requests of a pipeline. Results and errors are JSON. */
export const responseJson = {
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

/** @param response JSON of the response to a request of a pipeline. */
export const succeededJson = (response: string): string => `{"type":"ok","response":${response}}`;

/** @param error JSON of the error of a request of a pipeline. */
export const failedJson = (error: string): string => `{"type":"error","error":${error}}`;

/** @param results JSON of each result of a pipeline. */
export const resultsJson = (results: readonly string[]): string => `[${results.join()}]`;

/** Matches the results of a request and of `close`. */
const ONE_RESULT =
  /^\[\{"type":"(?:ok","response":(.*)|error","error":(.*))\},\{"type":"ok","response":\{"type":"close"\}\}\]$/s;

/** Returns the JSON of the first result of a pipeline with two requests, the second of which is `close`. */
export function firstResult(results: string): { readonly response: string } | { readonly error: string } {
  const [, response = "", error] = ONE_RESULT.exec(results) ?? [];
  return error === undefined ? { response } : { error };
}

const batonJson = (baton: string | undefined): string =>
  `"baton":${baton === undefined ? "null" : JSON.stringify(baton)},"base_url":null`;

/** @param results JSON. */
export const pipelineJson = (baton: string | undefined, results: string): string =>
  `{${batonJson(baton)},"results":${results}}`;

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
  /** The last entry, which shows the client that the response is complete. */
  end: '{"type":"replication_index","replication_index":null}',
};

/** Writes the entries of a cursor as lines. */
export const linesJson = (entries: readonly string[]): string => entries.map((entry) => `${entry}\n`).join("");

/** Writes the body of a response with an HTTP error. */
export const refusalJson = (message: string, code: string | undefined): string =>
  JSON.stringify({ error: message, message, ...(code && { code }) });
