import * as z from "zod";
import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import { refuse } from "../messages";
import { operationNamed } from "../operations/list";
import { ApiError } from "../refusal";
import { instantProblem } from "../time/instant";
import { type Form, parseJsonBody } from "./body";
import { describeIssue, formProblem } from "./form-problem";
import { BODY, invalidParameter } from "./messages";
import { assertStorableText } from "./storable-text";

export interface ArrivedRequest {
  readonly authorization?: string;
  readonly userAgent?: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /**
   * The text of the body, or the error if the body cannot be read. The Content-Type is ignored, because official
   * clients send JSON under other types (wire-facts 0).
   */
  readonly text: string | ApiError;
  /** The parts of a multipart body. Operations that take a multipart body ignore `text`. */
  readonly form?: Form | undefined;
  /** URL at which the caller reached the server. It may include a path. */
  readonly address: string;
}

export interface ParsedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Returns the parsed request for the handler, or the error if the request is invalid. The error is returned instead of
 * thrown, because only an authenticated caller may see it.
 */
export function parseRequest(operation: Operation, arrived: ArrivedRequest): ParsedRequest | ApiError {
  const endpoint: Endpoint = api[operation];
  try {
    for (const text of [...Object.values(arrived.params), ...Object.values(arrived.query)]) assertStorableText(text);
    const parsed = {
      params: endpoint.params.parse(arrived.params, { error: describeIssue }),
      query: parsedQuery(endpoint, arrived.query),
      body: endpoint.body.parse(parsedBody(endpoint, arrived), { error: describeIssue }),
    };
    const reason = operationNamed(operation).check?.(parsed);
    return reason === undefined ? parsed : refuse.invalid({ reason });
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof z.ZodError) return refuse.invalid({ reason: formProblem(thrown, BODY) });
    throw thrown;
  }
}

/**
 * Parses a value with the schema.
 *
 * @throws ApiError 400 if the value does not match the schema.
 */
export function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(given, { error: describeIssue });
  if (error) throw refuse.invalid({ reason: formProblem(error, BODY) });
  return data;
}

/** Parses the query. The error for an invalid timestamp has the public service's message (wire-facts 3.2). */
function parsedQuery({ query }: Endpoint, arrived: ArrivedRequest["query"]): ParsedRequest["query"] {
  const { data, error } = query.safeParse(arrived, { error: describeIssue });
  if (!error) return data;
  const wrong = error.issues.find((issue) => issue.code === "invalid_format" && issue.format === "datetime");
  if (!wrong) throw error;
  const parameter = String(wrong.path[0]);
  const reason = instantProblem(arrived[parameter] ?? "");
  throw refuse.invalid({ reason: invalidParameter({ parameter, reason }) });
}

/**
 * Parses the body. An empty body and `null` count as no body (wire-facts 0), and a PATCH without a body changes
 * nothing.
 */
function parsedBody({ method, consumes }: Endpoint, { text, form }: ArrivedRequest): unknown {
  if (method === "GET" || method === "DELETE") return undefined;
  if (text instanceof ApiError) throw text;
  if (consumes === "multipart") {
    if (!form) throw refuse.bodyNotMultipart();
    return form;
  }
  const json = text.trim() === "" ? undefined : parseJsonBody(text);
  return json ?? (method === "PATCH" ? {} : undefined);
}
