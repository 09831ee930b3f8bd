import type { Context } from "hono";
import type { Outcome } from "../requests/perform";
import type { Bindings } from "./record-request";

/** A Hono context that gives access to the socket of the request's connection. */
export type SocketContext = Context<{ Bindings: Bindings }>;

/** The outcome of an operation, with an optional `text` or `stream` that replaces the body. */
export interface HttpOutcome extends Outcome {
  /** Text or bytes to send instead of `body`. */
  readonly text?: string | Buffer;
  /** Sent instead of `text`. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly type?: string;
}

export const JSON_TYPE = "application/json";

/**
 * Builds a response whose Content-Type is exactly `application/json`, because generated clients compare the header.
 * If `time` (the platform's time) is given, the `Date` header contains it. Hono's own helper is not used, because it
 * would parse and rebuild the headers.
 */
export const answer = (
  { status, body, time, text, stream, type = JSON_TYPE }: Pick<HttpOutcome, "status" | "body"> & Partial<HttpOutcome>,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(stream ?? (text as BodyInit | undefined) ?? JSON.stringify(body), {
    status,
    headers: { "Content-Type": type, ...(time && { Date: time.toUTCString() }), ...headers },
  });
