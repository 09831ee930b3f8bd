import type { Context } from "hono";
import type { Outcome } from "../requests/perform";
import type { Bindings } from "./recorded";

/** A request with the socket that it came from. */
export type Socketed = Context<{ Bindings: Bindings }>;

/**
 * Builds a response with exactly `application/json`, because generated clients compare the header. `Date` follows the
 * platform's clock if that was read. Does not use Hono's helper, which would parse the headers and build them again.
 */
export const answer = (
  { status, body, time }: Pick<Outcome, "status" | "body"> & Partial<Outcome>,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...(time && { Date: time.toUTCString() }), ...headers },
  });
