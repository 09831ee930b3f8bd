import type { IncomingMessage } from "node:http";
import { type Operation, SQL } from "../faults/faults";

/**
 * Returns whether pages of every origin may use an operation. As in libSQL's own server, they may always use databases:
 * a page needs a token for them, which the browser never sends by itself. This server's own routes have no operation.
 */
export const isForEveryOrigin = (operation: Operation | undefined, isApiOpen: boolean): boolean =>
  operation === SQL || (isApiOpen && operation !== undefined);

/** Returns whether a browser asks for permission to send a request. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;

/** Returns the response that permits a page to send the request. */
export const preflightResponse = ({ headers }: IncomingMessage): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "*",
      // Names the headers, because `*` does not include `Authorization`.
      "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "*",
    },
  });

/** Lets the page that has sent a request read the response. `hono/cors` would rebuild every response. */
export function permitCorsReading(response: Response, { headers }: IncomingMessage): void {
  if (headers.origin !== undefined) response.headers.set("Access-Control-Allow-Origin", "*");
}
