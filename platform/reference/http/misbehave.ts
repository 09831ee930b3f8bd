import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Operation } from "../../contract/api";
import type { Fault, Fired } from "../faults/faults";
import type { Parts } from "../parts";
import type { Arrived } from "../requests/parse";
import { identify, type Outcome, perform } from "../requests/perform";
import { answer, type Socketed } from "./answer";
import { injectedFault } from "./messages";
import { waitUnless } from "./wait";

interface Faulted {
  readonly context: Socketed;
  readonly operation: Operation;
  readonly arrived: Arrived;
  readonly record: (outcome: Outcome) => void;
  readonly parts: Parts;
}

const PAGE = "<!doctype html><html><body><h1>Something went wrong</h1></body></html>";

/** Responds to a call as the fault rule specifies. */
export async function misbehave({ fault, replica }: Fired, { context, operation, arrived, record, parts }: Faulted) {
  if (fault.latency) await waitUnless(parts.ending, fault.latency);

  const worked = fault.hang !== true && fault.reset !== "before" && fault.status === undefined;
  const outcome = worked
    ? await perform(operation, arrived, replica ? { ...parts, store: await replica } : parts)
    : await refusedOutcome(fault, arrived, parts);
  const answered = fault.hang === undefined && fault.reset === undefined;
  record(answered ? outcome : { ...outcome, status: UNANSWERED });

  if (fault.hang) await endOf(context, parts.ending);
  if (!answered) return cut(context);
  const headers: Record<string, string> = {
    Date: outcome.time.toUTCString(),
    ...(fault.retryAfter !== undefined && { "Retry-After": String(fault.retryAfter) }),
  };
  // Excludes HEAD, because a response to HEAD has no body to truncate.
  if (fault.body === "truncated" && context.req.method !== "HEAD") return truncated(context, outcome, headers);
  if (fault.body === "html") return context.html(PAGE, outcome.status, headers);
  return answer(typeof fault.body === "object" ? { ...outcome, body: fault.body } : outcome, headers);
}

/** The status that the journal shows for a call without a response. */
const UNANSWERED = 0 as ContentfulStatusCode;

async function refusedOutcome({ status = 503 }: Fault, arrived: Arrived, parts: Parts): Promise<Outcome> {
  const { caller, time } = await identify(arrived, parts);
  return { status: status as ContentfulStatusCode, body: { error: injectedFault(status) }, caller, time };
}

/** Resolves when the caller disconnects or the server shuts down. */
const endOf = ({ env }: Socketed, ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ending.aborted || env.outgoing.destroyed) return resolve();
    env.outgoing.once("close", resolve);
    ending.addEventListener("abort", () => resolve(), { once: true });
  });

function cut({ env }: Socketed): Response {
  env.incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Sends a `Content-Length` for the whole body but only half of the body, then closes the connection. */
async function truncated(
  { env }: Socketed,
  { status, body }: Outcome,
  headers: Record<string, string>,
): Promise<Response> {
  const text = Buffer.from(JSON.stringify(body));
  env.outgoing.writeHead(status, { ...headers, "Content-Type": "application/json", "Content-Length": text.length });
  await new Promise((resolve) => env.outgoing.write(text.subarray(0, text.length >> 1), resolve));
  env.incoming.socket.destroySoon();
  return RESPONSE_ALREADY_SENT;
}
