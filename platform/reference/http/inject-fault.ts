import { setTimeout } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Fault, FiredRule } from "../faults/faults";
import { injectedFault } from "../messages";
import type { Outcome } from "../requests/perform";
import type { Store } from "../store/store";
import { answer, type HttpOutcome, JSON_TYPE, type SocketContext } from "./answer";

interface Call {
  /** Performs the call. To simulate a stale response, pass the replica to read from. */
  readonly work: (replica?: Store) => Promise<HttpOutcome>;
  /** Determines the caller and the time of the call, without performing the call. */
  readonly identify: () => Promise<Pick<Outcome, "caller" | "time">>;
  readonly record: (outcome: Outcome) => void;
  readonly ending: AbortSignal;
}

export const ERROR_PAGE = "<!doctype html><html><body><h1>Something went wrong</h1></body></html>";

/**
 * Performs a call as far as the fault rule specifies, and records it. Returns its outcome, and whether the caller gets a
 * response.
 */
export async function performFaulted({ fault, replica }: FiredRule, { work, identify, record, ending }: Call) {
  if (fault.latency) await waitUnlessAborted(ending, fault.latency);

  const worked = fault.hang !== true && fault.reset !== "before" && fault.status === undefined;
  const outcome: HttpOutcome = worked ? await work(await replica) : failedOutcome(fault, await identify());
  const isAnswered = fault.hang === undefined && fault.reset === undefined;
  record(isAnswered ? outcome : { ...outcome, status: UNANSWERED });
  return { outcome, isAnswered };
}

/** Responds to a call as the fault rule specifies. */
export async function injectFault(fired: FiredRule, { context, ...call }: Call & { readonly context: SocketContext }) {
  const { fault } = fired;
  const { outcome, isAnswered } = await performFaulted(fired, call);
  if (fault.hang) await endOfRequest(context, call.ending);
  if (!isAnswered) return resetConnection(context);
  const headers: Record<string, string> = {
    Date: outcome.time.toUTCString(),
    ...(fault.retryAfter !== undefined && { "Retry-After": String(fault.retryAfter) }),
  };
  // Excludes HEAD, because a response to HEAD has no body to truncate.
  if (fault.body === "truncated" && context.req.method !== "HEAD") return truncatedResponse(context, outcome, headers);
  if (fault.body === "html") return context.html(ERROR_PAGE, outcome.status, headers);
  if (fault.omit) return answer({ ...outcome, body: omitFields(fault.omit, outcome.body) }, headers);
  if (typeof fault.body !== "object") return answer(outcome, headers);
  return answer({ status: outcome.status, body: fault.body, time: outcome.time }, headers);
}

/** Returns a body without these fields, wherever they stand in it. */
const omitFields = (fields: readonly string[], body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) => (fields.includes(name) ? undefined : value));

/** The status that the journal shows for a call without a response. */
const UNANSWERED = 0 as ContentfulStatusCode;

const failedOutcome = ({ status = 503 }: Fault, { caller, time }: Pick<Outcome, "caller" | "time">): Outcome => ({
  status: status as ContentfulStatusCode,
  body: { error: injectedFault({ status }) },
  time,
  ...(caller && { caller }),
});

/** Resolves when the caller disconnects or the server shuts down. */
const endOfRequest = ({ env }: SocketContext, ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ending.aborted || env.outgoing.destroyed) return resolve();
    env.outgoing.once("close", resolve);
    ending.addEventListener("abort", () => resolve(), { once: true });
  });

function resetConnection({ env }: SocketContext): Response {
  env.incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Sends a `Content-Length` for the whole body but only half of the body, then closes the connection. */
async function truncatedResponse(
  { env }: SocketContext,
  { status, body, text = JSON.stringify(body), type = JSON_TYPE }: HttpOutcome,
  headers: Record<string, string>,
): Promise<Response> {
  const bytes = Buffer.from(text);
  env.outgoing.writeHead(status, { ...headers, "Content-Type": type, "Content-Length": bytes.length });
  await new Promise((resolve) => env.outgoing.write(bytes.subarray(0, bytes.length >> 1), resolve));
  env.incoming.socket.destroySoon();
  return RESPONSE_ALREADY_SENT;
}

/** Resolves after the given time, or as soon as the signal is aborted. */
async function waitUnlessAborted(signal: AbortSignal, milliseconds: number): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
