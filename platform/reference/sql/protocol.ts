import * as z from "zod";
import { refuse } from "../messages";
import { ApiError } from "../refusal";
import { decodeBody, parseJson } from "../requests/body";
import { parseOrRefuse } from "../requests/parse";
import { NOT_BASE64 } from "./messages";

/** Without this check, Node.js would ignore invalid characters, and the statement would receive different bytes. */
const isBase64 = (text: string): boolean =>
  /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;

const base64Text = z.string().refine(isBase64, { error: NOT_BASE64 });

/**
 * Schemas of what clients send over HTTP and over WebSockets (Hrana 1 to 3, JSON). Unknown fields are ignored, as the
 * protocol requires. Responses need no schemas, because the engine builds them.
 */
const Value = z.discriminatedUnion("type", [
  z.object({ type: z.literal("null") }),
  z.object({ type: z.literal("integer"), value: z.union([z.string().regex(/^[+-]?\d+$/), z.int()]) }),
  z.object({ type: z.literal("float"), value: z.number() }),
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("blob"), base64: base64Text }),
]);

const sqlText = { sql: z.string().nullish(), sql_id: z.int32().nullish() };

const Statement = z.object({
  ...sqlText,
  args: z.array(Value).nullish(),
  named_args: z.array(z.object({ name: z.string(), value: Value })).nullish(),
  want_rows: z.boolean().nullish(),
});

/** The maximum nesting of a batch condition. Very deep nesting could overflow the stack. */
const MAX_DEPTH = 32;

const step = z.int().min(0);

function conditionSchema(depth: number): z.ZodType<Condition> {
  const simple = [
    z.object({ type: z.literal("ok"), step }),
    z.object({ type: z.literal("error"), step }),
    z.object({ type: z.literal("is_autocommit") }),
  ] as const;
  if (depth >= MAX_DEPTH) return z.union(simple);
  const inner = z.lazy(() => conditionSchema(depth + 1));
  return z.discriminatedUnion("type", [
    ...simple,
    z.object({ type: z.literal("not"), cond: inner }),
    z.object({ type: z.literal("and"), conds: z.array(inner) }),
    z.object({ type: z.literal("or"), conds: z.array(inner) }),
  ]);
}

export type Condition =
  | { readonly type: "ok" | "error"; readonly step: number }
  | { readonly type: "is_autocommit" }
  | { readonly type: "not"; readonly cond: Condition }
  | { readonly type: "and" | "or"; readonly conds: readonly Condition[] };

const Batch = z.object({ steps: z.array(z.object({ condition: conditionSchema(0).nullish(), stmt: Statement })) });

const StreamRequest = z.discriminatedUnion("type", [
  z.object({ type: z.literal("close") }),
  z.object({ type: z.literal("execute"), stmt: Statement }),
  z.object({ type: z.literal("batch"), batch: Batch }),
  z.object({ type: z.literal("sequence"), ...sqlText }),
  z.object({ type: z.literal("describe"), ...sqlText }),
  z.object({ type: z.literal("store_sql"), sql_id: z.int32(), sql: z.string() }),
  z.object({ type: z.literal("close_sql"), sql_id: z.int32() }),
  z.object({ type: z.literal("get_autocommit") }),
]);

export const PipelineBody = z.object({ baton: z.string().nullish(), requests: z.array(StreamRequest) });

export const CursorBody = z.object({ baton: z.string().nullish(), batch: Batch });

/** Version 1, in which each request has a stream of its own. */
export const ExecuteBody = z.object({ stmt: Statement });
export const BatchBody = z.object({ batch: Batch });

/** A value as libSQL's first HTTP API writes it. */
const PlainValue = z.union([
  z.null().transform((): Value => ({ type: "null" })),
  z.boolean().transform((value): Value => ({ type: "integer", value: value ? "1" : "0" })),
  z.bigint().transform((value): Value => ({ type: "integer", value: String(value) })),
  z.number().transform((value): Value => ({ type: "float", value })),
  z.string().transform((value): Value => ({ type: "text", value })),
  z.object({ base64: base64Text }).transform(({ base64 }): Value => ({ type: "blob", base64 })),
]);

const PlainStatement = z.union([
  z.string().transform((sql): Statement => ({ sql })),
  z
    .object({ q: z.string(), params: z.union([z.array(PlainValue), z.record(z.string(), PlainValue)]).default([]) })
    .transform(
      ({ q: sql, params }): Statement =>
        Array.isArray(params)
          ? { sql, args: params }
          : { sql, named_args: Object.entries(params).map(([name, value]) => ({ name, value })) },
    ),
]);

/** libSQL's first HTTP API, which is older than Hrana. */
const StatementsBody = z.object({ statements: z.array(PlainStatement) });

const onStream = { stream_id: z.int32() };
const onCursor = { cursor_id: z.int32() };

const SocketRequest = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open_stream"), ...onStream }),
  z.object({ type: z.literal("close_stream"), ...onStream }),
  z.object({ type: z.literal("execute"), ...onStream, stmt: Statement }),
  z.object({ type: z.literal("batch"), ...onStream, batch: Batch }),
  z.object({ type: z.literal("sequence"), ...onStream, ...sqlText }),
  z.object({ type: z.literal("describe"), ...onStream, ...sqlText }),
  z.object({ type: z.literal("store_sql"), sql_id: z.int32(), sql: z.string() }),
  z.object({ type: z.literal("close_sql"), sql_id: z.int32() }),
  z.object({ type: z.literal("get_autocommit"), ...onStream }),
  z.object({ type: z.literal("open_cursor"), ...onStream, ...onCursor, batch: Batch }),
  z.object({ type: z.literal("fetch_cursor"), ...onCursor, max_count: z.uint32() }),
  z.object({ type: z.literal("close_cursor"), ...onCursor }),
]);

/** A message of a client over a WebSocket. */
const ClientMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), jwt: z.string().nullish() }),
  z.object({ type: z.literal("request"), request_id: z.int32(), request: SocketRequest }),
]);

export type Value = z.output<typeof Value>;
export type Statement = z.output<typeof Statement>;
export type Batch = z.output<typeof Batch>;
export type StreamRequest = z.output<typeof StreamRequest>;
export type SocketRequest = z.output<typeof SocketRequest>;
export type ClientMessage = z.output<typeof ClientMessage>;

/**
 * Parses the JSON body of a request.
 *
 * @throws ApiError 400 if the body is not JSON or does not match the schema.
 */
export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  body: () => Promise<Buffer>,
): Promise<z.output<Schema>> {
  const text = decodeBody(await body());
  if (text instanceof ApiError) throw text;
  return parseOrRefuse(schema, parseJson(text));
}

/**
 * Returns the statements in a request of libSQL's first HTTP API.
 *
 * @throws ApiError 400 if the body is not JSON or does not match the schema.
 */
export async function readStatementsBody(body: () => Promise<Buffer>): Promise<Statement[]> {
  const text = decodeBody(await body());
  if (text instanceof ApiError) throw text;
  return parseOrRefuse(StatementsBody, parseExactNumbers(text)).statements;
}

/** Parses JSON, with integers as `bigint`. Otherwise 1.0 would become an integer, and 2^53 + 1 another integer. */
function parseExactNumbers(text: string): unknown {
  const exact = (_key: string, value: unknown, { source = "" }: { source?: string }) =>
    typeof value === "number" && EXACT.test(source) ? BigInt(source) : value;
  try {
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
  } catch (thrown) {
    // A reviver is called recursively.
    if (thrown instanceof RangeError) throw refuse.bodyTooDeep({ depth: MAX_DEPTH });
    return parseJson(text);
  }
}

/** An integer that may have 64 bits. */
const EXACT = /^(?:0|-?[1-9]\d{0,18})$/;

/**
 * Parses a message of a client over a WebSocket.
 *
 * @throws ApiError 400 if the message is not JSON or does not match the schema.
 */
export const readMessage = (text: string): ClientMessage => parseOrRefuse(ClientMessage, parseJson(text));
