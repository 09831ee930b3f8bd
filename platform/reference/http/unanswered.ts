import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";

/** A request that was rejected before it reached a handler. `-` stands for a method or path that could not be read. */
export interface UnreadRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Returns the status that Node.js sends for an unreadable request, by error code; 0 if the caller has disconnected. */
export function unansweredStatus(failure: (Error & { readonly code?: string }) | null): number {
  if (failure?.code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (failure?.code === "HPE_HEADER_OVERFLOW") return 431;
  if (failure?.code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return failure?.code?.startsWith("HPE_") ? 400 : 0;
}

/** Tracks the unanswered requests of a server, and reports requests that Node.js rejects before a handler sees them. */
export class UnansweredRequests {
  /** One entry for each request in progress. */
  readonly #responses = new Map<ServerResponse, { isFetched: boolean }>();

  readonly #report: (request: UnreadRequest) => unknown;

  constructor(report: (request: UnreadRequest) => unknown) {
    this.#report = report;
  }

  all(): ServerResponse[] {
    return [...this.#responses.keys()];
  }

  readonly expect: RequestListener = (incoming, outgoing) => {
    const known = { isFetched: false };
    this.#responses.set(outgoing, known);
    outgoing.once("close", () => {
      this.#responses.delete(outgoing);
      if (!known.isFetched)
        this.#report({ ...methodAndPath(incoming), status: outgoing.headersSent ? outgoing.statusCode : 0 });
    });
  };

  /** Marks the request as passed to a handler, which must then record the request. */
  fetched(outgoing: unknown): void {
    const known = this.#responses.get(outgoing as ServerResponse);
    if (known) known.isFetched = true;
  }

  /**
   * Handles requests that Node.js rejects: sends the same responses as Node.js would, and reports the requests.
   *
   * @param isTunnelled Returns whether clients that use this server as their HTTPS proxy may connect to the host.
   */
  watch(server: Server, isTunnelled: (host: string) => boolean = () => false): void {
    server.on("checkExpectation", (incoming, outgoing) => {
      this.expect(incoming, outgoing);
      outgoing.writeHead(417).end();
    });
    server.on("connect", (incoming: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => undefined);
      if (openTunnel(incoming, { socket, server, isServed: isTunnelled })) return;
      socket.end(rawResponse(400));
      this.#report({ ...methodAndPath(incoming), status: 400 });
    });
    server.on("clientError", (failure: Error, socket: Duplex) => {
      const status = unansweredStatus(failure);
      const current = this.all().find(({ req }) => req.socket === socket);
      if (status > 0 && socket.writable && !current?.headersSent) socket.write(rawResponse(status));
      socket.destroy(failure);
      // Skips a request whose body a handler is still reading, because that handler records the request.
      if (status > 0 && (!current || current.req.complete)) this.#report({ method: "-", path: "-", status });
    });
  }
}

const methodAndPath = ({ method = "-", url = "-" }: IncomingMessage) => ({
  method,
  path: url.replace(/\?.*/s, ""),
});

/** Returns a response for a connection that no handler answers. */
export const rawResponse = (status: number, text = ""): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n${text}`;

/**
 * Handles CONNECT requests from clients that use this server as their proxy. If `isServed` accepts the host, the client
 * is connected to this server itself. This lets clients use HTTPS with a database's hostname, which does not exist in
 * DNS. Go and many containers do not resolve hostnames under `localhost`, and lines in `/etc/hosts` need an
 * administrator; both need port 443.
 *
 * @returns Whether the client was connected.
 */
function openTunnel(
  { url = "" }: IncomingMessage,
  { socket, server, isServed }: { socket: Duplex; server: Server; isServed: (host: string) => boolean },
): boolean {
  if (!isServed(url)) return false;
  const { port, address } = server.address() as AddressInfo;
  const own = connect(port, address);
  own.once("connect", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  // Closes both connections when either ends. Errors are ignored, because no caller could handle them.
  pipeline(socket, own, socket, () => undefined);
  return true;
}
