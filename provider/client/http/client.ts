import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import type * as z from "zod";
import { Refusal, type RefusalDetails, type RefusalKind } from "../../../kit/refusal";
import { api, type Operation } from "../../../platform/contract/api";
import type { Endpoint, Method } from "../../../platform/contract/endpoint";
import {
  REFERENCE_HEALTH,
  REFERENCE_ORGANIZATIONS,
  ReferenceHealth,
  ReferenceOrganizations,
} from "../../../platform/contract/organization";
import { isLoopbackUrl } from "../../../platform/values/address";
import { PlatformClock } from "../clock";
import { sqlTokenOwner } from "../credential";
import {
  CANCELLED_BEFORE_SENDING,
  failedOperation,
  sqlTokenInsteadOfApiToken,
  TIME_LIMIT_BEFORE_SENDING,
  unexpectedStatus,
} from "../messages";
import { type Client, clientForAnyOrganization } from "../organization-client";
import { organizationUnseen } from "../wording";
import { parseJson, resultOrThrow, shorten, textWithoutTokens } from "./answer";
import { classifyNetworkFailure } from "./network-failure";
import { type Permit, RateLimiter } from "./rate-limiter";
import { actionOf, formDataOf, queryString, requestPath } from "./request";
import { NO_RETRY, retryPolicy, TOO_MANY } from "./retry";
import { Agent, EnvHttpProxyAgent, FormData, retry } from "./undici";

/** When to stop requests, and whether to retry them. */
export interface Limits {
  /** Aborting this signal prevents new requests and retries, and aborts reads. Writes in progress may finish. */
  readonly signal: AbortSignal;
  /** Aborts all requests, including writes. */
  readonly deadline?: AbortSignal;
  /** Whether failed requests are retried. Default: true. */
  readonly retries?: boolean;
}

export interface ConnectionOptions {
  /** Address of the platform without a path, for example `https://api.example.com`. */
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly userAgent: string;
  /** Milliseconds before the first retry. The wait doubles with each further retry. Default: 250. */
  readonly firstWaitMs?: number;
  /** Timeout in milliseconds for the start of a response, and for each pause within a response. Default: 60,000. */
  readonly answerTimeoutMs?: number;
  /** Called before and after each request that may change an object, so that caches can be invalidated. */
  readonly onWrite?: (operation: Operation, request: object) => void;
}

interface Caller extends Limits {
  readonly apiToken: string;
  readonly stop: AbortSignal;
}

interface Parts {
  readonly query?: object;
  readonly body?: unknown;
  readonly [parameter: string]: unknown;
}

interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
  readonly permit: Permit;
}

interface OtherRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const ANSWER_TIMEOUT_MS = 60_000;
/** The largest response in bytes. A larger one can only be a mistake, and would fill the memory of the process. */
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Sends requests to the platform. Holds the connection pool and rate limiter of one configured provider. */
export class HttpConnection {
  readonly clock = new PlatformClock();
  readonly #options: ConnectionOptions;
  readonly #origin: string;
  readonly #answerTimeoutMs: number;
  readonly #dispatcher: Dispatcher;
  readonly #rateLimiter: RateLimiter;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#rateLimiter = new RateLimiter(options.firstWaitMs);
    this.#origin = new URL(options.baseUrl).origin;
    this.#answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
    const agent = {
      headersTimeout: this.#answerTimeoutMs,
      bodyTimeout: this.#answerTimeoutMs,
      maxResponseSize: LARGEST_ANSWER_BYTES,
    };
    const connect = options.baseUrl.startsWith("https:") ? { secureContext: trustedRoots() } : {};
    // No proxy is used for loopback addresses, because a proxy cannot reach a server on this machine.
    const dispatcher = isLoopbackUrl(options.baseUrl)
      ? new Agent({ ...agent, connect })
      : new EnvHttpProxyAgent({ ...agent, connect, requestTls: connect, proxyTls: connect });
    this.#dispatcher = dispatcher.compose(retry());
  }

  /**
   * Returns a client whose requests respect the given limits.
   *
   * @param apiToken API token to use instead of the connection's own token.
   */
  client({ signal, deadline, retries }: Limits, apiToken: string = this.#options.apiToken): Client {
    const stop = deadline ? AbortSignal.any([signal, deadline]) : signal;
    const caller: Caller = { apiToken, signal, deadline, retries: retries ?? true, stop };
    return clientForAnyOrganization((operation, request) => this.#send(operation, request, caller));
  }

  /**
   * Returns whether the platform is a reference API on this machine that has no organization with this UUID. Returns
   * `false` if that is not certain. Sends no credential.
   */
  async isReferenceWithout(organizationId: string, signal: AbortSignal): Promise<boolean> {
    if (!isLoopbackUrl(this.#options.baseUrl)) return false;
    try {
      const { status, text } = await this.#sendOnce(new URL(REFERENCE_ORGANIZATIONS, this.#origin), { signal });
      if (status !== 200) return false;
      const { organizations } = ReferenceOrganizations().parse(JSON.parse(text));
      return !organizations.some(({ id }) => id === organizationId);
    } catch {
      return false;
    }
  }

  /**
   * Returns how the platform, if it is a reference API, serves its databases. Returns `undefined` for any other platform.
   * Sends no credential.
   *
   * @throws Refusal if the platform is not available, because it could be either.
   */
  async referenceHealth(limits: Limits): Promise<z.output<ReturnType<typeof ReferenceHealth>> | undefined> {
    const { status, text } = await this.request(new URL(REFERENCE_HEALTH, this.#origin), {}, limits);
    if (status === 429 || status >= 500) throw new Refusal("unavailable", { ...unexpectedStatus({ status }), status });
    return ReferenceHealth().safeParse(parseJson(text)).data;
  }

  /**
   * Sends a request to any address once, without the API token. Returns also an answer that reports an error.
   *
   * @throws Refusal if there is no answer.
   */
  async request(url: URL, { method = "GET", ...sent }: OtherRequest, { signal, deadline }: Limits) {
    const stop = deadline ? AbortSignal.any([signal, deadline]) : signal;
    if (stop.aborted) {
      const answer = deadline?.aborted ? TIME_LIMIT_BEFORE_SENDING : CANCELLED_BEFORE_SENDING;
      throw new Refusal("cancelled", { answer });
    }
    try {
      return await this.#sendOnce(url, { method, ...sent, signal: method === "GET" ? stop : deadline });
    } catch (cause) {
      const limits = { signal, ...(deadline && { deadline }) };
      throw new Refusal(
        ...classifyNetworkFailure(cause, { ...limits, method, answerTimeoutMs: this.#answerTimeoutMs }),
      );
    }
  }

  async #sendOnce(url: URL, { signal, ...sent }: OtherRequest & { readonly signal: AbortSignal | undefined }) {
    const { statusCode: status, body } = await this.#dispatcher.request({
      method: "GET",
      ...sent,
      origin: url.origin,
      path: url.pathname,
      ...(signal && { signal }),
      retryOptions: NO_RETRY,
    } as Dispatcher.RequestOptions);
    return { status, text: await body.text() };
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  async #send(operation: Operation, request: object, caller: Caller) {
    const endpoint: Endpoint = api[operation];
    const { apiToken, stop } = caller;
    const { query, body, ...params } = request as Parts;
    const path = requestPath(endpoint.paths[0], params) + queryString(query);
    const hide = (text: string) => textWithoutTokens(text, apiToken);
    const refuse = (kind: RefusalKind, refused: RefusalDetails) => {
      const { answer, ...details } = kind === "unseen" ? organizationUnseen(request, refused) : refused;
      const owner = kind === "unauthenticated" ? sqlTokenOwner(apiToken) : undefined;
      if (owner) details.advice = sqlTokenInsteadOfApiToken(owner);
      const tried = failedOperation({ action: actionOf(operation), method: endpoint.method, path });
      return new Refusal(kind, { tried: hide(tried), answer: hide(answer), ...details });
    };
    // Tokens are removed before the text is shortened, because a truncated token would not be recognized.
    const show = (text: string) => shorten(hide(text));

    const permit = this.#rateLimiter.permit(stop);
    await permit.enter().catch((cause) => {
      if (!stop.aborted) throw cause;
      if (caller.deadline?.aborted) throw refuse("unavailable", { answer: TIME_LIMIT_BEFORE_SENDING });
      throw refuse("cancelled", { answer: CANCELLED_BEFORE_SENDING });
    });
    const reads = endpoint.method === "GET";
    if (!reads) this.#options.onWrite?.(operation, request);
    try {
      const sent = endpoint.consumes === "multipart" ? formDataOf(body as object) : body;
      const answer = await this.#exchange({ method: endpoint.method, path, body: sent, permit }, caller);
      return resultOrThrow(request, answer, { endpoint, refuse, show });
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      throw refuse(
        ...classifyNetworkFailure(cause, {
          ...caller,
          method: endpoint.method,
          answerTimeoutMs: this.#answerTimeoutMs,
        }),
      );
    } finally {
      permit.leave();
      if (!reads) this.#options.onWrite?.(operation, request);
    }
  }

  async #exchange({ method, path, body, permit }: Exchange, { apiToken, deadline, retries, stop }: Caller) {
    const end = method === "GET" ? stop : deadline;
    const options: Dispatcher.RequestOptions & { retryOptions: ReturnType<typeof retryPolicy> } = {
      origin: this.#origin,
      method,
      path,
      headers: {
        authorization: `Bearer ${apiToken}`,
        accept: "application/json",
        "user-agent": this.#options.userAgent,
        ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
      ...(end && { signal: end }),
      // The retry options are set for each request, because `stop` and `permit` differ between requests.
      retryOptions: retries ? retryPolicy({ stop, rateLimiter: this.#rateLimiter, permit }) : NO_RETRY,
    };
    const { statusCode, headers, body: stream } = await this.#dispatcher.request(options);
    if (statusCode !== TOO_MANY) this.#rateLimiter.answered();
    this.clock.heard(headers.date);
    return { status: statusCode, text: await stream.text() };
  }
}

let roots: SecureContext | undefined;

/**
 * Returns the root certificates of Node.js, of the system and from NODE_EXTRA_CA_CERTS. They are read only once per
 * process, because reading them takes about 100 ms.
 */
function trustedRoots(): SecureContext {
  roots ??= createSecureContext({
    ca: [...new Set([...getCACertificates("default"), ...getCACertificates("system")])],
  });
  return roots;
}
