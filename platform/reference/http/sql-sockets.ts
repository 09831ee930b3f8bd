import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { SQL } from "../faults/faults";
import { isDatabaseHost } from "../operations/hostnames";
import { answerToFailure } from "../requests/perform";
import type { Services } from "../services";
import { errorJson, messageJson } from "../sql/hrana-json";
import { MESSAGE_NOT_TEXT, SERVER_FAILED, SERVER_STOPS, subprotocolUnknown } from "../sql/messages";
import type { SqlRequest, SqlServer } from "../sql/server";
import { type Link, ProtocolViolation, type RequestOutcome, type Session, type SocketReply } from "../sql/session";
import { clockNow } from "../time/clock";
import type { HttpOutcome } from "./answer";
import { ERROR_PAGE, performFaulted } from "./inject-fault";
import { recordRequest } from "./record-request";
import { MAX_SQL_BODY_BYTES, sqlRequestTarget } from "./sql";
import { rawResponse } from "./unanswered";

/** The versions of the protocol by WebSocket subprotocol, the best one first. */
const VERSIONS: Readonly<Record<string, number>> = { hrana3: 3, hrana2: 2, hrana1: 1 };

/** Close codes of WebSocket (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const INTERNAL_ERROR = 1011;

/** The maximum length of the reason with which a WebSocket is closed, in bytes. */
const LONGEST_REASON = 123;

/** The number of unanswered requests above which nothing more is read from a socket. */
const MOST_UNANSWERED = 128;

/** The size of unsent messages above which a socket's requests wait, in bytes. */
const MOST_UNSENT = 1024 * 1024;

/** How long a connection may be silent before the operating system checks that it still exists, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** How long a client may take to close a socket when the server stops, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Returns the path of a request, without the query. */
const pathOf = ({ url = "/" }: IncomingMessage): string => url.replace(/[?#].*/s, "");

/** Returns whether a request asks for a WebSocket at the address of a database. */
export const opensSqlSocket = (request: IncomingMessage): boolean =>
  request.method === "GET" &&
  request.headers.upgrade?.toLowerCase() === "websocket" &&
  sqlRequestTarget(request, pathOf(request), isDatabaseHost)?.path === "/";

/** Returns the best subprotocol that a client offers. */
const chosenSubprotocol = (offered: ReadonlySet<string>): string | undefined =>
  Object.keys(VERSIONS).find((name) => offered.has(name));

/** The WebSockets of all clients of databases (Hrana over WebSocket). */
export class SqlSockets {
  readonly #sql: SqlServer;
  readonly #services: Services;
  /** One for each open socket. */
  readonly #open = new Set<SqlSocket>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_SQL_BODY_BYTES,
    handleProtocols: (offered) => chosenSubprotocol(offered) ?? false,
  });

  constructor(sql: SqlServer, services: Services) {
    this.#sql = sql;
    this.#services = services;
    services.ending.addEventListener("abort", () => {
      for (const each of this.#open) each.finish();
    });
    this.#server.on("wsClientError", ({ message }, socket, request) => this.#refuse(request, socket, message));
  }

  /** Takes over the connection of a request that asks for a WebSocket. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const place = sqlRequestTarget(request, pathOf(request), isDatabaseHost);
    const offered = request.headers["sec-websocket-protocol"]?.split(",").map((name) => name.trim());
    // A client that offers no subprotocol uses the first version.
    const chosen = offered ? chosenSubprotocol(new Set(offered)) : "hrana1";
    if (!place || !chosen) {
      this.#refuse(request, socket, subprotocolUnknown({ choices: Object.keys(VERSIONS) }));
      return;
    }
    // Pings of the protocol would not do: idle clients in Go do not answer them.
    request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#record(request, 101);
      const connection = new SqlSocket(opened, pathOf(request), this.#services, () => this.#open.delete(connection));
      this.#open.add(connection);
      connection.serve(this.#sql, place, VERSIONS[chosen] ?? 1);
      if (this.#services.ending.aborted) connection.finish();
    });
  };

  #refuse(request: IncomingMessage, socket: Duplex, reason: string): void {
    socket.on("error", () => undefined);
    socket.end(rawResponse(400, reason));
    this.#record(request, 400);
  }

  #record(request: IncomingMessage, status: number): void {
    const { method = "-" } = request;
    void recordRequest({ operation: SQL, method, path: pathOf(request), status }, this.#services);
  }
}

/** The WebSocket of a client. */
class SqlSocket implements Link {
  readonly #socket: WebSocket;
  readonly #path: string;
  readonly #services: Services;
  #session: Session | undefined;
  #unanswered = 0;
  /** Requests that wait until the client has received more: at most `MOST_UNANSWERED`. */
  readonly #waiting = new Set<() => void>();
  /** Aborted when the socket is closed. */
  readonly #closed = new AbortController();
  #isFinishing = false;

  constructor(socket: WebSocket, path: string, services: Services, closed: () => void) {
    this.#socket = socket;
    this.#path = path;
    this.#services = services;
    // The library closes the socket after an error.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#closed.abort();
      this.#wake();
      this.#session?.end();
      closed();
    });
  }

  serve(sql: SqlServer, { named, address }: Pick<SqlRequest, "named" | "address">, version: number): void {
    const session = sql.openSession({ named, address }, version, this);
    this.#session = session;
    this.#socket.on("message", (data, isBinary) => this.#receive(session, data, isBinary));
  }

  /** Closes the socket after the requests in progress. */
  finish(): void {
    this.#isFinishing = true;
    const timer = setTimeout(() => this.#socket.terminate(), PATIENCE_MS).unref();
    this.#socket.once("close", () => clearTimeout(timer));
    this.#closeIfFinished();
  }

  #closeIfFinished(): void {
    if (this.#isFinishing && this.#unanswered === 0) this.close(GOING_AWAY, SERVER_STOPS);
  }

  close(code: number, reason: string): void {
    // A paused socket would not see that the client closes it as well.
    this.#socket.resume();
    this.#socket.close(code, shortened(reason));
  }

  async room(): Promise<void> {
    while (this.#socket.bufferedAmount > MOST_UNSENT && !this.#closed.signal.aborted)
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #receive(session: Session, data: RawData, isBinary: boolean): void {
    if (this.#isFinishing || this.#socket.readyState !== this.#socket.OPEN) return;
    try {
      if (isBinary) throw new ProtocolViolation(UNSUPPORTED_DATA, MESSAGE_NOT_TEXT);
      this.#answer(session.receive(String(data)));
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #answer(reply: Promise<SocketReply | undefined>): void {
    this.#unanswered += 1;
    if (this.#unanswered >= MOST_UNANSWERED) this.#socket.pause();
    void reply
      .then(
        (given) => given && this.#send(given),
        (thrown) => this.#fail(thrown),
      )
      .finally(() => {
        this.#unanswered -= 1;
        if (this.#unanswered < MOST_UNANSWERED) this.#socket.resume();
        this.#closeIfFinished();
      });
  }

  /** Sends a message, and waits until it has been passed to the operating system. */
  async #send({ text, close }: SocketReply): Promise<void> {
    const sent = new Promise<void>((resolve) => this.#socket.send(text, () => resolve()));
    if (close) this.close(close.closeCode, close.message);
    await sent;
    this.#wake();
  }

  #fail(thrown: unknown): void {
    if (thrown instanceof ProtocolViolation) {
      this.close(thrown.closeCode, thrown.message);
      return;
    }
    // Logs the failure.
    answerToFailure(thrown);
    this.close(INTERNAL_ERROR, SERVER_FAILED);
  }

  async exchange(
    { id, type }: Parameters<Link["exchange"]>[0],
    work: () => Promise<RequestOutcome>,
  ): Promise<string | undefined> {
    const began = performance.now();
    const { faults, journal, store, ending } = this.#services;
    const fired = faults.take(SQL);
    const path = `${this.#path.replace(/\/$/, "")}/${type}`;
    const record = ({ time, status }: Pick<HttpOutcome, "time" | "status">) => {
      const entry = { time: time.toISOString(), operation: SQL, method: "WS", path, status, began } as const;
      journal.record({ ...entry, ...(fired && { fault: fired.fault }) });
    };
    if (!fired) {
      const answered = await work().catch((thrown) => {
        record({ time: new Date(), status: 500 });
        throw thrown;
      });
      record(answered);
      return answered.text;
    }
    const { fault } = fired;
    const { outcome, isAnswered } = await performFaulted(fired, {
      work: async () => ({ body: undefined, ...(await work()) }),
      identify: async () => ({ time: await store.read(clockNow) }),
      record,
      ending,
    });
    if (fault.reset) this.#socket.terminate();
    const stop = AbortSignal.any([ending, this.#closed.signal]);
    if (fault.hang && !stop.aborted) await once(stop, "abort");
    if (!isAnswered) return undefined;
    const { text = messageJson.failed(id, errorJson({ message: (outcome.body as { error: string }).error })) } =
      outcome;
    if (fault.body === "html") return ERROR_PAGE;
    if (fault.body === "truncated") return String(text).slice(0, text.length >> 1);
    return typeof fault.body === "object" ? JSON.stringify(fault.body) : String(text);
  }
}

/** Cuts a reason that is too long, without cutting a character. */
function shortened(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(LONGEST_REASON));
  return reason.slice(0, read);
}
