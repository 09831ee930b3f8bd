import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from "node:http2";
import { framed, readFramedMessage } from "./framing";
import { CONNECTION_LOST, connectionClosed } from "./messages";
import { CallFailure, decodeStatusMessage, type StatusCode, status } from "./status";

/** The largest response in bytes, which is gRPC's default. The engine's responses to log messages are empty. */
const LARGEST_RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * A connection to a gRPC server on this machine, without TLS. The connection is never reopened, because it ends only
 * when the server exits.
 */
export class GrpcConnection {
  readonly #session: ClientHttp2Session;
  /** Resolves when the connection has ended or failed, or when the server has announced that it is shutting down. */
  readonly ended: Promise<unknown>;

  /** @param address Host and port of the server, for example `127.0.0.1:40001`. */
  constructor(address: string) {
    this.#session = connect(`http://${address}`);
    this.#session.on("error", () => {});
    // The `goaway` event is handled too, because Node.js emits `close` only after the server has closed the socket.
    this.ended = new Promise((resolve) => this.#session.once("close", resolve).once("goaway", resolve));
  }

  /**
   * Sends one message and returns the response.
   *
   * @param path Path of the method, for example `/pulumirpc.Engine/Log`.
   * @throws CallFailure with the server's status, or with UNAVAILABLE if the server sent no status.
   */
  async unary(path: string, request: Uint8Array): Promise<Buffer> {
    const stream = this.#open(path);
    const headers: IncomingHttpHeaders = {};
    // If a call fails without a response message, the server sends the status in the first headers instead of the
    // trailers.
    for (const event of ["response", "trailers"]) stream.on(event, (received) => Object.assign(headers, received));
    stream.on("error", () => {});
    const ended = new Promise((resolve) => stream.once("close", resolve));
    const answer = readFramedMessage(stream, LARGEST_RESPONSE_BYTES);
    answer.catch(() => {});
    stream.end(framed(request));
    await ended;
    assertGrpcResponseOk(headers);
    return answer;
  }

  #open(path: string): ClientHttp2Stream {
    try {
      const headers = { "content-type": "application/grpc", te: "trailers" };
      return this.#session.request({ ":method": "POST", ":path": path, ...headers });
    } catch (cause) {
      throw new CallFailure(status.UNAVAILABLE, connectionClosed({ reason: String(cause) }));
    }
  }

  /** Closes the connection. Resolves when all pending calls have been answered. */
  async close(): Promise<void> {
    this.#session.close();
    await this.ended;
  }
}

function assertGrpcResponseOk({ "grpc-status": code, "grpc-message": message }: IncomingHttpHeaders): void {
  if (code === undefined) throw new CallFailure(status.UNAVAILABLE, CONNECTION_LOST);
  if (Number(code) !== status.OK)
    throw new CallFailure(Number(code) as StatusCode, decodeStatusMessage(String(message ?? "")));
}
