import type { ContentfulStatusCode } from "hono/utils/http-status";
import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import {
  authenticate,
  authorize,
  type Caller,
  organizationsNamedIn,
  ownOrganizationOf,
} from "../credentials/authorization";
import type { Signer } from "../credentials/signer";
import type { Ids } from "../ids";
import { INTERNAL_ERROR } from "../messages";
import type { Contents } from "../operations/contents";
import { operationNamed } from "../operations/list";
import type { RequestContext } from "../operations/operation";
import { ApiError, asRefusal } from "../refusal";
import { storeFailureReason, WrongData } from "../store/failure";
import type { State } from "../store/schema";
import type { Store } from "../store/store";
import { clockNow } from "../time/clock";
import { originOf, recordInAuditLog } from "./audit";
import { type ArrivedRequest, parseRequest } from "./parse";

export interface Outcome {
  readonly status: ContentfulStatusCode;
  readonly body: unknown;
  readonly time: Date;
  readonly caller?: Caller;
}

export interface OperationServices {
  readonly store: Store;
  readonly signer: Signer;
  readonly ids: Ids;
  /** Access to the rows of the databases; `undefined` if there is no SQL server. */
  readonly contents?: Contents;
}

/** Processes a request in one transaction, from authentication to the response, without an HTTP socket. */
export function perform(
  operation: Operation,
  sent: ArrivedRequest,
  { store, signer, ids, contents }: OperationServices,
): Promise<Outcome> {
  const endpoint: Endpoint = api[operation];
  const { handle, load } = operationNamed(operation);

  return outcomeOf(async (seen) => {
    const arrived = requestNamesNoOrganization(endpoint, sent)
      ? await inOwnOrganization(sent, { store, signer })
      : sent;
    const parsed = parseRequest(operation, arrived);
    const organizations = parsed instanceof ApiError ? [] : organizationsNamedIn(parsed);
    const contextIn = async (state: State): Promise<RequestContext> => {
      const now = await clockNow(state);
      seen.time = now;
      const caller = await authenticate(state, signer, arrived.authorization);
      seen.caller = caller;
      if (parsed instanceof ApiError) throw parsed;
      const accessScope = await authorize(endpoint, parsed, { caller, state });
      const { address } = arrived;
      const origin = originOf(arrived.userAgent);
      return {
        state,
        now,
        caller,
        signer,
        ids,
        accessScope,
        origin,
        address,
        concerned: new Set(),
        ...(contents && { contents }),
      };
    };
    if (contents && load) {
      const { now } = await store.read(contextIn);
      await load(parsed, { contents, now });
    }
    const work = async (state: State): Promise<unknown> => {
      const context = await contextIn(state);
      const answer = await handle(parsed, context);
      await recordInAuditLog(operation, { request: parsed, answer }, context);
      return answer;
    };
    return endpoint.method === "GET" ? store.read(work) : store.transaction(organizations, work);
  });
}

const requestNamesNoOrganization = ({ params }: Endpoint, sent: ArrivedRequest): boolean =>
  "organizationSlug" in params.shape && !("organizationSlug" in sent.params);

/** Adds the caller's own organization to a request whose path names no organization (wire-facts 0). */
const inOwnOrganization = (
  sent: ArrivedRequest,
  { store, signer }: Pick<OperationServices, "store" | "signer">,
): Promise<ArrivedRequest> =>
  store.read(async (state) => {
    const caller = await authenticate(state, signer, sent.authorization);
    return { ...sent, params: { ...sent.params, organizationSlug: await ownOrganizationOf(caller, state) } };
  });

/** Authenticates the caller and reads the clock, without processing the request. */
export const identifyCaller = (
  { authorization }: Pick<ArrivedRequest, "authorization">,
  { store, signer }: OperationServices,
): Promise<Outcome> =>
  outcomeOf((seen) =>
    store.read(async (state) => {
      seen.time = await clockNow(state);
      seen.caller = await authenticate(state, signer, authorization);
    }),
  );

/** The time and the caller of a request, which the journal shows even if the request is rejected. */
interface CallerAndTime {
  time: Date;
  caller?: Caller;
}

async function outcomeOf(work: (seen: CallerAndTime) => Promise<unknown>): Promise<Outcome> {
  const seen: CallerAndTime = { time: new Date() };
  try {
    const body = await work(seen);
    return { status: 200, body, ...seen };
  } catch (thrown) {
    return { ...answerToFailure(thrown), ...seen };
  }
}

/** Converts a failure to a response. No other code decides the status of a failure. */
export function answerToFailure(thrown: unknown): Pick<Outcome, "status" | "body"> {
  const refusal = asRefusal(thrown);
  if (!refusal) {
    console.error(thrown);
    return { status: 500, body: { error: thrown instanceof WrongData ? thrown.message : INTERNAL_ERROR } };
  }
  const { status, message, code, cause } = refusal;
  if (cause !== undefined) console.error(`${message}: ${storeFailureReason(cause)}`);
  return { status, body: { error: message, ...(code && { code }) } };
}
