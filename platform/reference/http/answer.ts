import type { Context } from "hono";
import type { Outcome } from "../requests/perform";
import type { Bindings } from "./recorded";

/** A Hono request that gives access to the socket of its connection. */
export type Socketed = Context<{ Bindings: Bindings }>;

/**
 * Builds a response whose Content-Type is exactly `application/json`, because generated clients compare the header.
 * `Date` is the platform's time if the request has read the clock. Hono's own helper is not used, because it would
 * parse and rebuild the headers.
 */
export const answer = (
  { status, body, time }: Pick<Outcome, "status" | "body"> & Partial<Outcome>,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...(time && { Date: time.toUTCString() }), ...headers },
  });
