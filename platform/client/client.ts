import { Agent, type Dispatcher, EnvHttpProxyAgent, FormData, interceptors } from "undici";
import { type Api, api, type Operation } from "../contract/api";
import type { Endpoint, Method, Request, Result } from "../contract/endpoint";
import { resultOf, shorten } from "./answer";
import { PlatformClock } from "./clock";
import { withoutTokens } from "./hidden";
import { Refusal, type RefusalDetails, type RefusalKind } from "./refusal";
import { isNotTrusted, reasonOf, retryPolicy, TOO_MANY, wasNeverSent } from "./retry";
import { trustedRoots } from "./roots";
import { type Passage, Throttle } from "./throttle";

/** One method an operation, under the contract's name. Every failure is a `Refusal`. */
export type Client = { readonly [Name in Operation]: (request: Request<Api[Name]>) => Promise<Result<Api[Name]>> };

/** What ends a request before its answer. */
export interface Limits {
  /** Nothing new is begun, waits end, reads are given up; a write that is under way is still awaited. */
  readonly signal: AbortSignal;
  /** Ends everything. */
  readonly deadline?: AbortSignal;
}

export interface ConnectionOptions {
  /** Address of the platform, without a path of its own. */
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly userAgent: string;
  /** How long the first wait before a repetition is; each further one doubles it. */
  readonly firstWaitMs?: number;
  /** Told before a request that may change something is sent, and after its end. */
  readonly onWrite?: (operation: Operation, request: object) => void;
}

interface Caller extends Limits {
  readonly apiToken: string;
}

interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
  readonly passage: Passage;
}

const ANSWER_TIMEOUT_MS = 60_000;
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const TRUST =
  "If its certificate was issued by an authority of your own, name the file with the certificate of that one in NODE_EXTRA_CA_CERTS";

/** Sockets and credential of one configured provider. */
export class Connection {
  readonly clock = new PlatformClock();
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #throttle: Throttle;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#throttle = new Throttle(options.firstWaitMs);
    const agent = {
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
      maxResponseSize: LARGEST_ANSWER_BYTES,
    };
    const connect = options.baseUrl.startsWith("https:") ? { secureContext: trustedRoots() } : {};
    // A proxy from the environment cannot reach a server on this very machine.
    const dispatcher = isLoopback(options.baseUrl)
      ? new Agent({ ...agent, connect })
      : new EnvHttpProxyAgent({ ...agent, connect, requestTls: connect, proxyTls: connect });
    this.#dispatcher = dispatcher.compose(interceptors.retry());
  }

  /** The operations, each within these limits. `apiToken`: another credential than the connection's own. */
  client(limits: Limits, apiToken: string = this.#options.apiToken): Client {
    const entries = Object.keys(api).map((operation) => [
      operation,
      (request: Request<Endpoint>) => this.#send(operation as Operation, request, { ...limits, apiToken }),
    ]);
    return Object.fromEntries(entries) as Client;
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  async #send(operation: Operation, request: Request<Endpoint>, caller: Caller) {
    const endpoint = api[operation] as unknown as Endpoint;
    const { apiToken, signal, deadline } = caller;
    const { query, body, ...params } = request as { query?: object; body?: unknown } & Record<string, string>;
    const path = pathOf(endpoint.paths[0], params) + queryOf(query);
    const tried = `could not ${inWords(operation)} (${endpoint.method} ${path})`;
    const hide = (text: string) => withoutTokens(text, apiToken);
    const refuse = (kind: RefusalKind, { answer, ...details }: RefusalDetails) =>
      new Refusal(kind, { tried: hide(tried), answer: hide(answer), ...details });
    // Hidden before it is cut off, or the beginning of a credential would be shown.
    const show = (text: string) => shorten(hide(text));

    const ends = [signal, deadline].filter((end) => end !== undefined);
    const passage = this.#throttle.passage(AbortSignal.any(ends));
    await passage.enter().catch(() => undefined);
    if (ends.some(({ aborted }) => aborted))
      throw refuse("cancelled", { answer: "the run was cancelled, or its time was over, before it was sent" });
    const reads = endpoint.method === "GET";
    if (!reads) this.#options.onWrite?.(operation, request);
    try {
      const sent = endpoint.consumes === "multipart" ? formOf(body as object) : body;
      const answer = await this.#exchange({ method: endpoint.method, path, body: sent, passage }, caller);
      return resultOf(request, answer, { endpoint, refuse, show });
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      throw refuse(...failureOf(cause, endpoint.method, caller));
    } finally {
      passage.leave();
      if (!reads) this.#options.onWrite?.(operation, request);
    }
  }

  async #exchange({ method, path, body, passage }: Exchange, { signal, deadline, apiToken }: Caller) {
    const ends = [deadline, method === "GET" ? signal : undefined].filter((end) => end !== undefined);
    const stop = AbortSignal.any([signal, ...ends]);
    const options: Dispatcher.RequestOptions & { retryOptions: ReturnType<typeof retryPolicy> } = {
      origin: new URL(this.#options.baseUrl).origin,
      method,
      path,
      headers: {
        authorization: `Bearer ${apiToken}`,
        accept: "application/json",
        "user-agent": this.#options.userAgent,
        ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
      ...(ends.length > 0 ? { signal: AbortSignal.any(ends) } : {}),
      // Per request, since what ends the waiting belongs to the request.
      retryOptions: retryPolicy({ stop, throttle: this.#throttle, passage }),
    };
    const { statusCode, headers, body: stream } = await this.#dispatcher.request(options);
    if (statusCode !== TOO_MANY) this.#throttle.answered();
    this.clock.heard(headers.date);
    return { status: statusCode, text: await stream.text() };
  }
}

function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value);
  return form;
}

export const isLoopback = (url: string): boolean => {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
};

function pathOf(template: string, params: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    // `.` and `..` are legal in a segment and would change the path all the same; half a character has no encoding.
    if (/^\.{0,2}$/.test(value) || /\p{Surrogate}/u.test(value))
      throw new Refusal("invalid", { answer: `${name} cannot be ${JSON.stringify(value)}` });
    return encodeURIComponent(value);
  });
}

function queryOf(query: object | undefined): string {
  const present = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return present.length === 0 ? "" : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}

/** `createApiToken` → "create api token". */
const inWords = (operation: string): string => operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What a request without an answer stands for. */
function failureOf(cause: unknown, method: Method, { signal, deadline }: Limits): [RefusalKind, RefusalDetails] {
  const neverSent = wasNeverSent(cause);
  const uncertain = method !== "GET" && !neverSent;
  if (deadline?.aborted)
    return ["unavailable", { answer: "no answer within the time that was set for it", uncertain, cause }];
  if (signal.aborted) return ["cancelled", { answer: "the run was cancelled", uncertain, cause }];
  return [
    "unavailable",
    {
      answer: `${neverSent ? "the platform could not be reached" : "the connection ended without a whole answer"} (${reasonOf(cause)})`,
      advice: isNotTrusted(cause) ? TRUST : neverSent ? "Is `baseUrl` right, and the network up?" : undefined,
      uncertain,
      cause,
    },
  ];
}
