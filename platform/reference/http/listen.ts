import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { ServerOptions } from "node:https";
import { type AddressInfo, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { addressMissing, EMPTY_HOST, hostUnresolved, portInUse, portReserved } from "../messages";
import { UnansweredRequests, type UnreadRequest } from "./unanswered";

/** How long a caller that does not read its response can delay the shutdown, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * How long a caller may take to send a complete request, in milliseconds. Slower requests get 408, and their connection
 * is closed.
 */
const ARRIVAL_MS = 60_000;

/**
 * How long an idle connection stays open, in milliseconds. Node.js closes it after 5 seconds by default, which a client
 * that is busy for that long (a migration, a build) notices only when its next request fails.
 */
const IDLE_MS = 60_000;

export interface HttpServer {
  readonly url: string;
  /** Starts handling requests, including requests that arrived before this call. */
  serve(app: Application): void;
  /** Finishes the requests in progress, then closes all connections. */
  close(): Promise<void>;
}

interface Place {
  readonly port: number;
  readonly host: string;
  readonly arrivalMs?: number;
  /** Certificate and key in PEM format. Without them, the server uses HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Returns whether a client that uses this server as its HTTPS proxy may connect to the host. */
  readonly isTunnelled?: (host: string) => boolean;
  /** Returns whether a request opens a WebSocket. Requires Node.js 24.9. By default, none does. */
  readonly opensSocket?: (request: IncomingMessage) => boolean;
}

export interface Application {
  fetch(request: Request, bindings: never): Response | Promise<Response>;
  /** Reports a request that was rejected before it reached this application. */
  unread(request: UnreadRequest): unknown;
  /** Takes over the connection of a request that opens a WebSocket. The application must end it when the server stops. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export async function listen({
  port,
  host,
  arrivalMs = ARRIVAL_MS,
  tls,
  isTunnelled,
  opensSocket,
}: Place): Promise<HttpServer> {
  // Rejects an empty host, because Node.js would then listen on every address of the machine.
  if (host === "") throw new Error(EMPTY_HOST);
  const { promise: served, resolve: serve } = Promise.withResolvers<Application>();
  const unanswered = new UnansweredRequests(async (request) => (await served).unread(request));
  const respond = getRequestListener(async (request, bindings) => {
    unanswered.fetched(bindings.outgoing);
    return (await served).fetch(request, bindings as never);
  });
  const times = {
    requestTimeout: arrivalMs,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: arrivalMs / 4,
    keepAliveTimeout: IDLE_MS,
  };
  // Turns off Node.js's check of the `Host` header, because Node.js would reject the request without a journal entry.
  // The application checks the header instead.
  const options = { ...times, requireHostHeader: false, ...(opensSocket && { shouldUpgradeCallback: opensSocket }) };
  const listener: RequestListener = (incoming, outgoing) => {
    unanswered.expect(incoming, outgoing);
    return respond(incoming, outgoing);
  };
  const server = tls ? await tlsServer({ ...options, ...tls }, listener) : createServer(options, listener);
  unanswered.watch(server, isTunnelled);
  if (opensSocket)
    server.on("upgrade", async (request, socket, head) => (await served).upgrade?.(request, socket, head));
  server.listen(port, host);
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    const sentence = cannotListen[cause.code ?? ""]?.({ port, host });
    throw sentence === undefined ? cause : new Error(sentence, { cause });
  });
  return {
    url: `${tls ? "https" : "http"}://${listeningAuthority(server, host)}`,
    serve,
    close: () => closeServer(server, unanswered),
  };
}

const cannotListen: Readonly<Record<string, typeof portInUse>> = {
  EADDRINUSE: portInUse,
  EACCES: portReserved,
  EADDRNOTAVAIL: addressMissing,
  ENOTFOUND: hostUnresolved,
  EAI_AGAIN: hostUnresolved,
};

/** Loads `node:https` only when needed, because few servers use it. */
async function tlsServer(options: ServerOptions, listener: RequestListener): Promise<Server> {
  const { createServer } = await import("node:https");
  return createServer(options, listener);
}

async function closeServer(server: Server, unanswered: UnansweredRequests): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const answered = Promise.all(unanswered.all().map((outgoing) => once(outgoing, "close")));
  const patience = new AbortController();
  await Promise.race([answered, setTimeout(PATIENCE_MS, undefined, patience).catch(() => undefined)]);
  patience.abort();
  server.closeAllConnections();
  await closed;
}

function listeningAuthority(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
