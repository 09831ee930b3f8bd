import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Operation } from "../../contract/api";
import type { Parts } from "../parts";
import { statusOfFailure, type Unread } from "./unread";

/** The socket of a request, and the facts that its handler adds while it is answered. */
export interface Bindings extends HttpBindings {
  operation?: Operation;
  /** Whether the request has its entry in journal and log; each request has exactly one. */
  isRecorded?: true;
}

/** A request that no handler has recorded. */
interface Unrecorded extends Unread {
  readonly operation?: Operation | undefined;
  readonly began?: number;
}

/** Routes that control and show the reference API itself. */
const OWN = /^\/((_reference|docs)(\/.*)?|page\/.*|openapi\.json)?$/;

/** Requested by every open page all the time. */
const PULSE = "/page/pulse";

/**
 * Records a request in the journal. Successful requests to the reference API's own routes are only logged, because the
 * journal is for the platform's operations.
 */
export async function recordLate(
  { began = performance.now(), ...request }: Unrecorded,
  { clock, journal }: Pick<Parts, "clock" | "journal">,
): Promise<void> {
  const { path, status } = request;
  const isOwn = OWN.test(path) && status >= 200 && status < 400;
  if (isOwn && path === PULSE) return;
  // The clock is part of the data; when they cannot be read, the request is recorded with this machine's time.
  const now = await clock.now().catch(() => new Date());
  const entry = { ...request, time: now.toISOString(), began };
  if (isOwn) journal.log(entry);
  else journal.record(entry);
}

/** Returns the status of a response; 0 if the connection ended without a response. */
export const statusOf = (response: Response, { incoming }: HttpBindings): number =>
  response === RESPONSE_ALREADY_SENT ? statusOfFailure(incoming.socket.errored) : response.status;
