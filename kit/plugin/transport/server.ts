import { once } from "node:events";
import {
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { framed, readFramedMessage } from "./framing";
import { DEADLINE_EXCEEDED, invalidTimeout, unknownMethod } from "./messages";
import { CallFailure, OK, status, trailersOf } from "./status";

/** The largest message in bytes. The engine accepts and sends messages of this size, and no larger ones. */
const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;
/** Large flow-control windows let a client send a large message without waiting for permission to send more. */
const STREAM_WINDOW_BYTES = 2 ** 24;
const SESSION_WINDOW_BYTES = 2 ** 26;

const UNIT_MS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
/** The longest delay of a Node.js timer in milliseconds. A timer with a longer delay fires immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const HEADERS: OutgoingHttpHeaders = { ":status": 200, "content-type": "application/grpc" };

export interface CallContext {
  /** Aborted when the caller cancels, when the caller's deadline has passed, or when the connection is lost. */
  readonly signal: AbortSignal;
}

export interface UnaryMethod {
  readonly unary: (request: Buffer, call: CallContext) => Promise<Uint8Array>;
}

/** A server-streaming method. It produces each message only after the caller has accepted the previous message. */
export interface StreamingMethod {
  readonly streaming: (request: Buffer, call: CallContext) => AsyncIterable<Uint8Array>;
}

/** The methods of a service, by path, for example `/pulumirpc.ResourceProvider/Check`. */
export type Methods = Readonly<Record<string, UnaryMethod | StreamingMethod>>;

export interface ListeningServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves gRPC on a free port of 127.0.0.1, without TLS. A method reports an error to the caller by throwing a
 * `CallFailure`; any other error ends the call with the status INTERNAL.
 *
 * @param load Loads the methods. It runs on every call, so it must always return the same promise.
 */
export async function listenForCalls(load: () => Promise<Methods>): Promise<ListeningServer> {
  // One entry for each open connection. The engine opens one.
  const sessions = new Set<Http2Session>();
  const server = createServer({
    settings: { initialWindowSize: STREAM_WINDOW_BYTES },
    // The limit is large, because the headers of a failed call may contain the complete state of a resource.
    maxSendHeaderBlockLength: LARGEST_MESSAGE_BYTES,
    // Without this setting, Node.js rejects new calls on a connection with more than 10 MB of unread messages.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  });
  // If a client violates the protocol, only its own connection is closed, so the error is ignored here.
  server.on("sessionError", () => {});
  server.on("stream", (stream, headers) => new ServerCall(stream).answer(headers, load));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const session of sessions) session.close();
      await closed;
    },
  };
}

class ServerCall implements CallContext {
  #trailers = OK;
  #aborter: AbortController | undefined;
  #isAborted = false;

  constructor(private readonly stream: ServerHttp2Stream) {
    stream.on("error", () => {});
    stream.once("aborted", () => this.#abort());
  }

  /** The signal is created on first use, because most calls do not need it. */
  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.#isAborted) this.#aborter.abort();
    return this.#aborter.signal;
  }

  async answer(headers: IncomingHttpHeaders, load: () => Promise<Methods>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const refused = statusForNonGrpc(headers);
      if (refused) return this.stream.respond({ ":status": refused }, { endStream: true });
      const timeout = timeoutOf(headers["grpc-timeout"]);
      if (timeout !== undefined) timer = setTimeout(() => this.#expire(), timeout);
      // No data is lost while the methods load, because the stream buffers the request.
      const method = grpcServerMethodAt(headers[":path"], await load());
      const request = await readFramedMessage(this.stream, LARGEST_MESSAGE_BYTES);
      if ("unary" in method) this.#end(await method.unary(request, this));
      else {
        for await (const message of method.streaming(request, this)) {
          if (this.#isOver) return;
          if (!this.#send(message)) await once(this.stream, "drain", { signal: this.signal });
        }
        this.#end();
      }
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends one message.
   *
   * @returns Whether the next message can be sent immediately.
   */
  #send(message: Uint8Array): boolean {
    this.#respond();
    return this.stream.write(framed(message));
  }

  #respond(): void {
    if (this.stream.headersSent) return;
    this.stream.respond(HEADERS, { waitForTrailers: true });
    this.stream.once("wantTrailers", () => this.stream.sendTrailers(this.#trailers));
  }

  #end(message?: Uint8Array): void {
    if (this.#isOver) return;
    this.#respond();
    this.stream.end(message && framed(message));
  }

  #fail(thrown: unknown): void {
    if (this.#isOver) return;
    this.#trailers = trailersOf(thrown);
    if (this.stream.headersSent) this.stream.end();
    else this.stream.respond({ ...HEADERS, ...this.#trailers }, { endStream: true });
    // The stream is closed because the caller may still be sending data that no method will read.
    if (!this.stream.readableEnded) this.stream.close();
  }

  #expire(): void {
    this.#fail(new CallFailure(status.DEADLINE_EXCEEDED, DEADLINE_EXCEEDED));
    this.#abort();
  }

  #abort(): void {
    this.#isAborted = true;
    this.#aborter?.abort();
  }

  get #isOver(): boolean {
    return this.stream.destroyed || this.stream.closed || this.stream.writableEnded;
  }
}

/** Returns the HTTP status for a request that does not use gRPC, or `undefined` for a gRPC request. */
function statusForNonGrpc(headers: IncomingHttpHeaders): number | undefined {
  if (headers[":method"] !== "POST") return 405;
  return /^application\/grpc(\+proto)?$/.test(headers["content-type"] ?? "") ? undefined : 415;
}

/**
 * Parses a `grpc-timeout` header, for example `500m`, into milliseconds. Returns `undefined` if there is no header.
 *
 * @throws CallFailure if the header is malformed.
 */
function timeoutOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  if (count === undefined) throw new CallFailure(status.INTERNAL, invalidTimeout({ header: String(header) }));
  return Math.min(Number(count) * (UNIT_MS[unit] ?? 1), LONGEST_TIMER_MS);
}

function grpcServerMethodAt(path: string | undefined, methods: Methods): UnaryMethod | StreamingMethod {
  const method = Object.hasOwn(methods, path ?? "") ? methods[path ?? ""] : undefined;
  if (method) return method;
  throw new CallFailure(status.UNIMPLEMENTED, unknownMethod({ path: path ?? "" }));
}
