import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Operation } from "../faults/faults";
import type { Services } from "../services";
import { type UnreadRequest, unansweredStatus } from "./unanswered";

/** The socket of a request, and the data that the handler adds while it processes the request. */
export interface Bindings extends HttpBindings {
  operation?: Operation;
  /** Whether the request has already been recorded. Every request is recorded exactly once. */
  isRecorded?: true;
}

interface RequestToRecord extends UnreadRequest {
  readonly operation?: Operation | undefined;
  readonly began?: number;
}

/** Matches the paths of the reference API's own routes: its control routes and its pages. */
const OWN = /^\/((_reference|docs)(\/.*)?|page\/.*|openapi\.json)?$/;

/**
 * The routes that every open page and every health check poll. Successful requests to them are neither recorded nor
 * logged, because they would flood the log.
 */
const POLLED = ["/page/pulse", "/_reference/health"];

/**
 * Records a request in the journal. Successful requests to the reference API's own routes are only logged, because the
 * journal is for the platform's operations.
 */
export async function recordRequest(
  { began = performance.now(), ...request }: RequestToRecord,
  { clock, journal }: Pick<Services, "clock" | "journal">,
): Promise<void> {
  const { path, status } = request;
  const isOwn = OWN.test(path) && status >= 200 && status < 400;
  if (isOwn && POLLED.includes(path)) return;
  // Falls back to this machine's time, because the platform's clock is stored with the data, which may be unreadable.
  const now = await clock.now().catch(() => new Date());
  const entry = { ...request, time: now.toISOString(), began };
  if (isOwn) journal.log(entry);
  else journal.record(entry);
}

export const statusSent = (response: Response, { incoming }: HttpBindings): number =>
  response === RESPONSE_ALREADY_SENT ? unansweredStatus(incoming.socket.errored) : response.status;
