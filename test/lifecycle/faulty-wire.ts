import dns from "node:dns";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { api, type Operation } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";

export interface Asked {
  readonly operation: Operation | undefined;
  readonly method: string;
  /** The path as it was sent, neither decoded nor normalized. */
  readonly path: string;
  readonly authorization: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Exchange extends Asked {
  /** The request body as text. */
  readonly body: string;
  readonly response: ServerResponse;
  /** Passes the request on and returns the platform's response. */
  forward(): Promise<Answer>;
  send(status: number, body: string, headers?: Record<string, string>): void;
  /** Resets the connection without sending a response. */
  cut(): void;
}

/** A handler that the proxy calls for a request instead of passing the request on. */
export type Trouble = (exchange: Exchange) => unknown;

/** A proxy in front of a platform. The proxy passes a request on unless `trouble` returns a handler for it. */
export interface FaultyWire {
  readonly url: string;
  readonly asked: Asked[];
  /** Returns the handler of a request, or `undefined` to pass the request on. */
  trouble: ((asked: Asked) => Trouble | undefined) | undefined;
  /** Makes the platform unreachable after the given number of responses. */
  loseAfter(answers: number, by: "a refused connection" | "an unknown name"): void;
  heal(): Promise<void>;
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
  onTestFinished(async () => {
    await here.heal();
    server.close();
    server.closeAllConnections();
  });
  let lose: (() => void) | undefined;
  let left = 0;

  const here: FaultyWire = {
    url: `http://localhost:${port}`,
    asked: [],
    trouble: undefined,
    loseAfter(answers, by) {
      lose = () => (by === "an unknown name" ? forgetNames() : server.close());
      left = answers;
      server.closeAllConnections();
      if (left === 0) lose();
    },
    async heal() {
      here.trouble = undefined;
      lose = undefined;
      vi.restoreAllMocks();
      if (!server.listening) await once(server.listen(port, "127.0.0.1"), "listening");
    },
  };
  return here;

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(emptyIfAborted);
    const { method = "", url: path = "", headers } = incoming;
    const asked = { operation: operationOf(method, path), method, path, authorization: headers.authorization };
    here.asked.push(asked);
    if (lose) {
      response.setHeader("connection", "close");
      if (--left === 0) lose();
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
    const trouble = here.trouble?.(asked) ?? passOn;
    await trouble(exchange);
  }
}

async function passOn({ forward, send }: Exchange): Promise<void> {
  const { status, text, headers } = await forward();
  send(status, text, headers.date === undefined ? {} : { date: headers.date });
}

interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function forward(url: string, { method, headers, body }: Sent): Promise<Answer> {
  const outgoing = request(url, { method, headers });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const text = (await buffer(incoming)).toString();
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

/** Makes every DNS lookup in this process fail. */
function forgetNames(): void {
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _options: unknown, done: (failure: Error) => void) =>
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }))) as typeof dns.lookup);
}

function operationOf(method: string, path: string): Operation | undefined {
  const { pathname, searchParams } = new URL(path, "http://host");
  const fitting = (Object.entries(api) as [Operation, Endpoint][]).filter(
    ([, endpoint]) =>
      endpoint.method === method && endpoint.paths.some((template) => patternOf(template).test(pathname)),
  );
  const flagged = fitting.find(([, { queryFlag }]) => queryFlag !== undefined && searchParams.has(queryFlag));
  return (flagged ?? fitting.find(([, { queryFlag }]) => queryFlag === undefined))?.[0];
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);

/** Returns an empty body if the client has closed the connection, and rethrows every other error. */
function emptyIfAborted(thrown: NodeJS.ErrnoException): Buffer {
  if (thrown.code !== "ECONNRESET") throw thrown;
  return Buffer.alloc(0);
}
