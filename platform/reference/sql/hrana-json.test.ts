import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  columnsJson,
  contentOfResult,
  cursorJson,
  descriptionJson,
  entryJson,
  entryLines,
  errorJson,
  failedJson,
  messageJson,
  pipelineJson,
  refusalJson,
  responseJson,
  resultJson,
  rowJson,
  succeededJson,
} from "./hrana-json";

type Value = null | bigint | number | string | Uint8Array;

/** Any UTF-16, with lone surrogates and line separators. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("\u2028\u2029", "\ud800", "\udc00\ud800", '"\\\0\u007f', "\u{1f600}"),
);
const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n),
);
const float = fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, 1 / 0, -1 / 0, 1e21, 5e-324, 1));
const value: fc.Arbitrary<Value> = fc.oneof(fc.constant(null), integer, float, text, fc.uint8Array());
const row = fc.array(value, { maxLength: 6 });
const columns = fc.array(fc.record({ name: text, type: fc.option(text) }), { maxLength: 4 });
const failure = fc.record({ message: text, code: text, extended: fc.option(text, { nil: undefined }) });
const result = fc.record({
  columns,
  rows: fc.array(row, { maxLength: 4 }),
  affected: fc.nat(),
  lastId: fc.option(integer.map(String)),
  read: fc.nat(),
  written: fc.nat(),
  milliseconds: fc.integer({ min: 0, max: 10_000_000 }).map((microseconds) => microseconds / 1000),
});
type Result = typeof result extends fc.Arbitrary<infer Generated> ? Generated : never;

// What the functions are to write, as objects for `JSON.stringify`

const valueObject = (value: Value): object => {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: Buffer.from(value).toString("base64").replaceAll("=", "") };
};
const columnObject = ({ name, type }: Result["columns"][number]) => ({ name, decltype: type });
const resultObject = ({ columns, rows, affected, lastId, read, written, milliseconds }: Result) => ({
  cols: columns.map(columnObject),
  rows: rows.map((row) => row.map(valueObject)),
  affected_row_count: affected,
  last_insert_rowid: lastId,
  rows_read: read,
  rows_written: written,
  query_duration_ms: milliseconds,
});
const errorObject = ({ extended, ...error }: { extended: string | undefined }) => ({
  ...error,
  extended_code: extended,
});

const written = ({ columns, rows, ...rest }: Result) => ({
  ...rest,
  cols: columnsJson(columns),
  rows: rows.map(rowJson),
});

/** Checks that a text is JSON of an object, whatever way of writing a number it uses. */
const expectJson = (text: string, object: unknown) =>
  expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(object));

test("writes a row as JSON.stringify would, except that -0 keeps its sign", () => {
  fc.assert(
    fc.property(row, (row) => {
      const text = rowJson(row);
      const values = JSON.parse(text) as { value?: unknown }[];
      for (const [index, value] of row.entries()) if (Object.is(value, -0)) expect(values[index]?.value).toBe(-0);
      expect(text.replaceAll('"value":-0.0}', '"value":0}')).toBe(
        JSON.stringify(row.map((value) => valueObject(value))),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("writes rows as SQLite returns them", () => {
  const database = new DatabaseSync(":memory:");
  fc.assert(
    fc.property(row, (bound) => {
      const places = ["9e999", "-9e999", "9e999 - 9e999", "-0.0", "x''", ...bound.map(() => "?")];
      const statement = database.prepare(`select ${places.join()}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      const [row] = statement.all(...bound) as unknown as Value[][];
      expect(row?.slice(0, 5)).toEqual([1 / 0, -1 / 0, null, -0, new Uint8Array()]);
      expectJson(rowJson(row ?? []), row?.map(valueObject));
    }),
  );
  database.close();
});

test("writes the response to a pipeline", () => {
  const outcome = fc.oneof(
    fc.record({ result }),
    fc.record({ failure }),
    fc.record({ steps: fc.array(fc.oneof(fc.record({ result }), fc.record({ failure }), fc.constant({}))) }),
    fc.record({ parameters: fc.array(fc.option(text)), columns, isExplain: fc.boolean(), isReadOnly: fc.boolean() }),
    fc.record({ isAutocommit: fc.boolean() }),
    fc.constant({}),
  );
  const ok = (response: object) => ({ type: "ok", response });
  const property = fc.property(fc.option(text, { nil: undefined }), fc.array(outcome), (baton, outcomes) => {
    const results = outcomes.map((each): [string, object] => {
      if ("result" in each)
        return [
          succeededJson(responseJson.execute(resultJson(written(each.result)))),
          ok({ type: "execute", result: resultObject(each.result) }),
        ];
      if ("failure" in each)
        return [failedJson(errorJson(each.failure)), { type: "error", error: errorObject(each.failure) }];
      if ("steps" in each) {
        const results = each.steps.map((step) => ("result" in step ? resultJson(written(step.result)) : null));
        const errors = each.steps.map((step) => ("failure" in step ? errorJson(step.failure) : null));
        const step_results = each.steps.map((step) => ("result" in step ? resultObject(step.result) : null));
        const step_errors = each.steps.map((step) => ("failure" in step ? errorObject(step.failure) : null));
        return [
          succeededJson(responseJson.batch(results, errors)),
          ok({ type: "batch", result: { step_results, step_errors } }),
        ];
      }
      if ("parameters" in each) {
        const { parameters, columns, isExplain, isReadOnly } = each;
        const cols = columns.map(columnObject);
        const params = parameters.map((name) => ({ name }));
        return [
          succeededJson(responseJson.describe(descriptionJson(each))),
          ok({ type: "describe", result: { params, cols, is_explain: isExplain, is_readonly: isReadOnly } }),
        ];
      }
      if ("isAutocommit" in each)
        return [
          succeededJson(responseJson.autocommit(each.isAutocommit)),
          ok({ type: "get_autocommit", is_autocommit: each.isAutocommit }),
        ];
      return [succeededJson(responseJson.sequence), ok({ type: "sequence" })];
    });
    const body = { baton: baton ?? null, base_url: null, results: results.map(([, object]) => object) };
    expectJson(
      pipelineJson(
        baton,
        results.map(([text]) => text),
      ),
      body,
    );
  });
  fc.assert(property);
});

test("writes the lines of a cursor", () => {
  fc.assert(
    fc.property(text, result, failure, (baton, result, failure) => {
      const entries = [
        entryJson.stepBegin(0, columnsJson(result.columns)),
        ...result.rows.map((row) => entryJson.row(rowJson(row))),
        entryJson.stepEnd(written(result)),
        entryJson.stepError(1, errorJson(failure)),
        failedJson(errorJson(failure)),
        entryJson.end,
      ];
      const { cols, rows, affected_row_count, last_insert_rowid, rows_read, rows_written } = resultObject(result);
      const lines = cursorJson(baton, entryLines(entries)).split("\n");
      const objects = [
        { baton, base_url: null },
        { type: "step_begin", step: 0, cols },
        ...rows.map((row) => ({ type: "row", row })),
        { type: "step_end", affected_row_count, last_insert_rowid, rows_read, rows_written },
        { type: "step_error", step: 1, error: errorObject(failure) },
        { type: "error", error: errorObject(failure) },
        { type: "replication_index", replication_index: null },
      ];
      expect(lines.pop()).toBe("");
      expect(lines.length).toBe(objects.length);
      for (const [index, line] of lines.entries()) expectJson(line, objects[index]);
    }),
  );
});

test("finds the response or the error in a result, whatever its texts are", () => {
  const strange = fc.oneof(text, fc.constantFrom("}", succeededJson(responseJson.close), failedJson("")));
  fc.assert(
    fc.property(strange, strange, (message, code) => {
      const error = errorJson({ message, code });
      expect(contentOfResult(failedJson(error))).toEqual({ error });
      const response = responseJson.execute(rowJson([message, code]));
      expect(contentOfResult(succeededJson(response))).toEqual({ response });
    }),
  );
});

test("writes the messages over a WebSocket", () => {
  const { openStream, closeStream, openCursor, closeCursor } = responseJson;
  const types = [openStream, closeStream, openCursor, closeCursor].map((text) => JSON.parse(text).type);
  expect(types).toEqual(["open_stream", "close_stream", "open_cursor", "close_cursor"]);
  expectJson(messageJson.helloOk, { type: "hello_ok" });
  fc.assert(
    fc.property(fc.integer(), failure, fc.array(row), fc.boolean(), (request_id, failure, rows, done) => {
      const error = errorObject(failure);
      expectJson(messageJson.helloError(errorJson(failure)), { type: "hello_error", error });
      expectJson(messageJson.failed(request_id, errorJson(failure)), {
        type: "response_error",
        request_id,
        error,
      });
      const entries = rows.map((row) => entryJson.row(rowJson(row)));
      const response = { type: "fetch_cursor", entries: entries.map((entry) => JSON.parse(entry)), done };
      const fetched = responseJson.fetchCursor(entries, done);
      expectJson(messageJson.succeeded(request_id, fetched), { type: "response_ok", request_id, response });
    }),
  );
});

test("writes the other responses", () => {
  const { close, sequence, storeSql, closeSql } = responseJson;
  const types = [close, sequence, storeSql, closeSql].map((text) => JSON.parse(text).type);
  expect(types).toEqual(["close", "sequence", "store_sql", "close_sql"]);
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), (message, code) => {
      expectJson(refusalJson(message, code), { error: message, message, code: code || undefined });
    }),
  );
});
