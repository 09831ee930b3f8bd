import dns from "node:dns";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { api } from "../platform/contract/api";
import type { Endpoint } from "../platform/contract/endpoint";
import { REFERENCE_SQL } from "../platform/contract/organization";
import type { Operation } from "../platform/reference/faults/faults";

const [SQL = ""] = REFERENCE_SQL.split("{");

/** A request that a wire has received. */
export interface WireRequest {
  /** The operation that the request asks for, if the platform has one at this path; `sql` in a database. */
  readonly operation: Operation | undefined;
  readonly method: string;
  /** The path as it was sent, neither decoded nor normalized. */
  readonly path: string;
  readonly authorization: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as text, which makes no sense of a compressed one. */
  readonly text: string;
}

export interface Exchange extends WireRequest {
  /** The request body as text. */
  readonly body: string;
  readonly response: ServerResponse;
  /** Passes the request on and returns the platform's response. */
  forward(): Promise<Answer>;
  send(status: number, body: string, headers?: Record<string, string>): void;
  /** Resets the connection without sending a response. */
  cut(): void;
}

/** A handler that the wire calls for a request instead of passing the request on. */
export type Trouble = (exchange: Exchange) => unknown;

/** A proxy in front of a platform. The proxy passes a request on unless `trouble` returns a handler for it. */
export interface FaultyWire {
  readonly url: string;
  readonly requests: WireRequest[];
  /** Returns the handler of a request, or `undefined` to pass the request on. */
  trouble: ((asked: WireRequest) => Trouble | undefined) | undefined;
  /**
   * Makes the platform unreachable after the given number of responses.
   *
   * @param lose Makes it unreachable. By default, the proxy refuses every connection.
   */
  loseAfter(answers: number, lose?: () => void): void;
  /** Whether requests may meet trouble. */
  readonly isTroubled: boolean;
  /** Ends every trouble. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a proxy that stops when the test ends.
 *
 * @param target Address of the platform.
 */
export async function faultyWire(target: string): Promise<FaultyWire> {
  const server = createServer((incoming, response) => void pass(incoming, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  let losing: (() => void) | undefined;
  let left = 0;
  let isClosed = false;

  const wire: FaultyWire = {
    url: `http://localhost:${port}`,
    requests: [],
    trouble: undefined,
    get isTroubled() {
      return wire.trouble !== undefined || losing !== undefined;
    },
    loseAfter(answers, lose = () => server.close()) {
      losing = lose;
      left = answers;
      server.closeAllConnections();
      if (left === 0) losing();
    },
    async heal() {
      vi.restoreAllMocks();
      wire.trouble = undefined;
      losing = undefined;
      if (!server.listening) await once(server.listen(port, "127.0.0.1"), "listening");
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await wire.heal();
      server.close();
      server.closeAllConnections();
    },
  };
  onTestFinished(() => wire.close());
  return wire;

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(emptyIfAborted);
    const { method = "", url: path = "", headers } = incoming;
    const asked = { operation: operationOf(method, path), method, path, authorization: headers.authorization };
    wire.requests.push(asked);
    if (losing) {
      response.setHeader("connection", "close");
      if (--left === 0) losing();
    }
    const exchange: Exchange = {
      ...asked,
      body: body.toString(),
      response,
      forward: () => forward(`${target}${path}`, { method, headers, body }),
      send(status, text, more = {}) {
        const plain = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
        response.writeHead(status, { ...plain, ...more }).end(text);
      },
      cut: () => incoming.socket.resetAndDestroy(),
    };
    const trouble = wire.trouble?.(asked) ?? passOn;
    try {
      await trouble(exchange);
    } catch (thrown) {
      if (!isBroken(thrown)) throw thrown;
      exchange.cut();
    }
  }
}

async function passOn({ forward, response }: Exchange): Promise<void> {
  const { status, body, headers } = await forward();
  const { connection, "keep-alive": _, "transfer-encoding": __, ...passed } = headers;
  response.writeHead(status, { ...passed, "content-length": body.length }).end(body);
}

interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function forward(url: string, { method, headers, body }: Sent): Promise<Answer> {
  // A connection of its own, because the platform may close one that is kept while a request is sent on it.
  const outgoing = request(url, { method, headers, agent: false });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const received = await buffer(incoming);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: received, text: received.toString() };
}

/** Returns an empty body if the client has closed the connection, and rethrows every other error. */
function emptyIfAborted(thrown: unknown): Buffer {
  if (!isBroken(thrown)) throw thrown;
  return Buffer.alloc(0);
}

/** Returns whether a connection was closed, or refused because the platform has stopped. */
function isBroken(thrown: unknown): boolean {
  return (
    thrown instanceof Error && "code" in thrown && (thrown.code === "ECONNRESET" || thrown.code === "ECONNREFUSED")
  );
}

/** Returns whether a request may change something: a read-only token and SQL with such a token cannot. */
export const isWrite = ({ operation, method, path, authorization }: WireRequest): boolean =>
  !["GET", "HEAD"].includes(method) &&
  !/\/auth\/tokens\?.*\bauthorization=read-only\b/.test(path) &&
  !(operation === "sql" && accessOf(authorization) === "ro");

/** Returns the access that a SQL-engine token grants. */
function accessOf(authorization = ""): unknown {
  const [, claims = ""] = authorization.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).a;
}

/** Ways in which a platform becomes unreachable. `undefined` is a refused connection. */
export const losses: Readonly<Record<string, (() => void) | undefined>> = {
  "a refused connection": undefined,
  "an unknown name": forgetNames,
};

/** Makes every DNS lookup in this process fail. */
function forgetNames(): void {
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _options: unknown, done: (failure: Error) => void) =>
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }))) as typeof dns.lookup);
}

function operationOf(method: string, path: string): Operation | undefined {
  if (path.startsWith(SQL)) return "sql";
  const { pathname, searchParams } = new URL(path, "http://host");
  const fitting = OPERATIONS.filter(
    ([, endpoint, paths]) => endpoint.method === method && paths.some((path) => path.test(pathname)),
  );
  const flagged = fitting.find(([, { queryFlag }]) => queryFlag !== undefined && searchParams.has(queryFlag));
  return (flagged ?? fitting.find(([, { queryFlag }]) => queryFlag === undefined))?.[0];
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);

const OPERATIONS = (Object.entries(api) as [Operation, Endpoint][]).map(
  ([operation, endpoint]) => [operation, endpoint, endpoint.paths.map(patternOf)] as const,
);
