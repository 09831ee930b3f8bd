import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Outcome } from "./perform";

/** A request with the socket it came from. */
export type Socketed = Context<{ Bindings: HttpBindings }>;

/** Exactly `application/json`: generated clients compare it. */
export const answer = (context: Socketed, { status, body }: Pick<Outcome, "status" | "body">): Response =>
  context.body(JSON.stringify(body), status, { "Content-Type": "application/json" });
