import * as z from "zod";
import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import { checks } from "../operations/checks";
import { ApiError, refuse } from "../refusal";
import { instantProblem } from "../time/instant";
import { checkText, type Form, jsonOf } from "./body";
import { formProblem, ourWords } from "./form-problem";

/** A request as it arrived. */
export interface Arrived {
  readonly authorization?: string;
  readonly userAgent?: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /**
   * The body's text, whatever its Content-Type: official clients send JSON under others (wire-facts 0). Where it cannot
   * be read, the reason.
   */
  readonly text: string | ApiError;
  /** In place of the text where the operation takes a multipart body, and this is one. */
  readonly form?: Form | undefined;
  /** URL under which the caller reached the server, with any path. */
  readonly address: string;
}

export interface Parsed {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What the operation's handler receives, or why it cannot: told only to a caller that is known. */
export function parse(operation: Operation, arrived: Arrived): Parsed | ApiError {
  const endpoint: Endpoint = api[operation];
  const check = checks[operation] as ((request: unknown) => string | undefined) | undefined;
  try {
    for (const text of [...Object.values(arrived.params), ...Object.values(arrived.query)]) checkText(text);
    const parsed = {
      params: endpoint.params.parse(arrived.params, { error: ourWords }),
      query: queryOf(endpoint, arrived.query),
      body: endpoint.body.parse(bodyOf(endpoint, arrived), { error: ourWords }),
    };
    const problem = check?.(parsed);
    return problem === undefined ? parsed : refuse.invalid(problem);
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof z.ZodError) return refuse.invalid(formProblem(thrown, BODY));
    throw thrown;
  }
}

const BODY = "the request body";

/** What the schema makes of it; refused where it has another form. */
export function formed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(given, { error: ourWords });
  if (error) throw refuse.invalid(formProblem(error, BODY));
  return data;
}

/** An instant that is none is told in the words of the public service (wire-facts 3.2). */
function queryOf({ query }: Endpoint, arrived: Arrived["query"]): Parsed["query"] {
  const { data, error } = query.safeParse(arrived, { error: ourWords });
  if (!error) return data;
  const wrong = error.issues.find((issue) => issue.code === "invalid_format" && issue.format === "datetime");
  if (!wrong) throw error;
  const name = String(wrong.path[0]);
  throw refuse.invalid(`invalid ${name} parameter: ${instantProblem(arrived[name] ?? "")}`);
}

/** An empty body is no body; nor is `null` one (wire-facts 0). A PATCH without one changes nothing. */
function bodyOf({ method, consumes }: Endpoint, { text, form }: Arrived): unknown {
  if (method === "GET" || method === "DELETE") return undefined;
  if (text instanceof ApiError) throw text;
  if (consumes === "multipart") {
    if (!form) throw refuse.bodyNotMultipart();
    return form;
  }
  const json = text.trim() === "" ? undefined : jsonOf(text);
  return json ?? (method === "PATCH" ? {} : undefined);
}
