import { WebSocket } from "ws";
import type { Address, DatabaseConnection, PipelineRequest, Turn, TurnAnswer } from "./protocol";

type Json = Record<string, unknown>;

/** The size of the parts in which a cursor is read, so small that most cursors have several. */
const MAX_COUNT = 5;

/** Plays turns over WebSockets (Hrana 3, JSON), with a socket for each stream. */
export class OverSocket implements DatabaseConnection {
  readonly #address: Address;
  readonly #token: string | null;
  #socket: WebSocket | undefined;
  /** Those who wait for the answers of the socket. */
  #waiting = new Map<number, (message: Json) => void>();
  /** The answer to all further requests, once the other side has closed the socket. */
  #closed: Json | undefined;
  #count = 0;

  constructor(address: Address, token: string | null) {
    this.#address = address;
    this.#token = token;
  }

  async send(turn: Turn): Promise<TurnAnswer> {
    if (!this.#socket) await this.#open();
    if ("cursor" in turn) return { status: 200, text: await this.#cursor(turn.cursor) };
    const results = await Promise.all(turn.requests.map((request) => this.#request(onStream(request))));
    const isOpen = !turn.requests.some(({ type }) => type === "close");
    if (!isOpen) this.#end();
    const body = { baton: isOpen ? "open" : null, results: results.map(resultOf) };
    return { status: 200, text: jsonOf(body) };
  }

  async #open(): Promise<void> {
    const { url, headers } = this.#address;
    const socket = new WebSocket(url.replace(/^http/, "ws"), ["hrana3"], { headers });
    const waiting = new Map<number, (message: Json) => void>();
    this.#socket = socket;
    this.#waiting = waiting;
    this.#closed = undefined;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      waiting.get(message.request_id)?.(message);
    });
    // What a closed socket does not answer fails with the reason.
    socket.on("close", (code, reason) => {
      const closed = { error: { code: `${code}`, message: reason.toString() } };
      if (socket === this.#socket) this.#closed = closed;
      for (const answer of waiting.values()) answer(closed);
    });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    socket.send(JSON.stringify({ type: "hello", jwt: this.#token }));
    void this.#request({ type: "open_stream", stream_id: 1 });
  }

  #end(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  #request(request: object): Promise<Json> {
    if (this.#closed) return Promise.resolve(this.#closed);
    this.#count += 1;
    const request_id = this.#count;
    this.#socket?.send(JSON.stringify({ type: "request", request_id, request }));
    return new Promise((resolve) => this.#waiting.set(request_id, resolve));
  }

  /** Returns what the response over HTTP would be. */
  async #cursor(steps: object): Promise<string> {
    const lines: unknown[] = [{ baton: "open" }];
    const opened = await this.#request({ type: "open_cursor", stream_id: 1, cursor_id: 1, batch: { steps } });
    if (opened.error) lines.push({ type: "error", error: opened.error });
    for (let isDone = opened.error !== undefined; !isDone; ) {
      const fetched = await this.#request({ type: "fetch_cursor", cursor_id: 1, max_count: MAX_COUNT });
      const broken = { entries: [{ type: "error", error: fetched.error }], done: true };
      const { entries, done } = (fetched.response ?? broken) as Json & { entries: unknown[] };
      lines.push(...entries);
      isDone = done === true;
    }
    if (!lines.some((line) => (line as Json).type === "error")) lines.push({ type: "replication_index" });
    await this.#request({ type: "close_cursor", cursor_id: 1 });
    return lines.map((line) => `${jsonOf(line)}\n`).join("");
  }
}

function onStream(request: PipelineRequest): object {
  if (request.type === "close") return { type: "close_stream", stream_id: 1 };
  return request.type === "store_sql" || request.type === "close_sql" ? request : { ...request, stream_id: 1 };
}

const resultOf = ({ response, error }: Json): Json =>
  error ? { type: "error", error } : { type: "ok", response: withoutStream(response as Json) };

/** Gives the response to `close_stream` the name that it has over HTTP. */
const withoutStream = (response: Json): Json =>
  response.type === "close_stream" ? { ...response, type: "close" } : response;

const ZERO = '"type":"float","value":"-0.0"';

/** `JSON.stringify` writes -0 as 0, but a server writes -0.0. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_key, each) => (Object.is(each, -0) ? "-0.0" : each)).replaceAll(
    ZERO,
    ZERO.replace(/"(-0.0)"/, "$1"),
  );
