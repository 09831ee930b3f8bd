import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Outcome } from "./perform";

/** A request with the socket it came from. */
export type Socketed = Context<{ Bindings: HttpBindings }>;

/** Exactly `application/json`: generated clients compare it. `Date` by the clock of the platform, where it was read. */
export const answer = (
  context: Socketed,
  { status, body, time }: Pick<Outcome, "status" | "body"> & Partial<Outcome>,
): Response =>
  context.body(JSON.stringify(body), status, {
    "Content-Type": "application/json",
    ...(time && { Date: time.toUTCString() }),
  });
