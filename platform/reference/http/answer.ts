import type { Context } from "hono";
import type { Outcome } from "../requests/perform";
import type { Bindings } from "./recorded";

/** A request with the socket it came from. */
export type Socketed = Context<{ Bindings: Bindings }>;

/**
 * Exactly `application/json`: generated clients compare it. `Date` by the clock of the platform, where it was read. Not
 * made by Hono, which would take several headers apart and put them together again.
 */
export const answer = (
  { status, body, time }: Pick<Outcome, "status" | "body"> & Partial<Outcome>,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...(time && { Date: time.toUTCString() }), ...headers },
  });
