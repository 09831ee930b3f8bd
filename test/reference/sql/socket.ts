import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import type { Place } from "./sql";

interface Message {
  readonly type: string;
  readonly request_id?: number;
  readonly response?: { readonly type: string; readonly [field: string]: unknown };
  readonly error?: { readonly message: string; readonly code?: string };
}

interface Options extends ClientOptions {
  /** The offered subprotocols. */
  readonly offered?: readonly string[];
}

/** A client that speaks Hrana over a WebSocket. The socket is closed when the test ends. */
export class SocketClient {
  readonly socket: WebSocket;
  /** The code and the reason with which the socket was closed. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
  readonly #requests = new Map<number, (message: Message) => void>();
  readonly #hellos: ((message: Message) => void)[] = [];
  #count = 0;

  private constructor(url: string, { offered = ["hrana3"], ...options }: Options) {
    this.socket = new WebSocket(url.replace(/^http/, "ws"), [...offered], options);
    this.closed = new Promise((resolve) =>
      this.socket.once("close", (code, reason) => resolve([code, reason.toString()])),
    );
    this.socket.on("message", (data) => this.#receive(JSON.parse(String(data))));
  }

  /** @throws Error with the status and the text of the response if the server refuses the socket. */
  static async open(url: string, options: Options = {}): Promise<SocketClient> {
    const client = new SocketClient(url, options);
    onTestFinished(() => client.socket.terminate());
    await new Promise<void>((resolve, reject) => {
      client.socket.once("open", resolve);
      client.socket.once("error", reject);
      client.socket.once("unexpected-response", (_, response) => {
        let text = "";
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => reject(new Error(`${response.statusCode} ${text}`)));
      });
    });
    client.socket.on("error", () => undefined);
    return client;
  }

  /** Opens a socket, and greets the server with the token of a database. */
  static async to({ url, token }: Place, options?: Options): Promise<SocketClient> {
    const client = await SocketClient.open(url, options);
    await client.hello(token);
    return client;
  }

  hello(jwt: string | null): Promise<Message> {
    this.send({ type: "hello", jwt });
    return new Promise((resolve) => this.#hellos.push(resolve));
  }

  /** Sends a request. The promise stays pending if the server never answers. */
  request(request: object): Promise<Message> {
    this.#count += 1;
    const request_id = this.#count;
    this.send({ type: "request", request_id, request });
    return new Promise((resolve) => this.#requests.set(request_id, resolve));
  }

  /** Sends a request, and returns the response; if it fails, the code of its error, or else its message. */
  async ask(request: object): Promise<unknown> {
    const { response, error } = await this.request(request);
    return response ?? error?.code ?? error?.message;
  }

  /** Executes a statement, and returns the values of its first column; if it fails, the code of its error. */
  async column(stream_id: number, sql: string): Promise<unknown> {
    const { response, error } = await this.request({ type: "execute", stream_id, stmt: { sql } });
    const { rows } = (response?.result ?? {}) as { rows?: { value?: unknown }[][] };
    return rows?.map(([cell]) => cell?.value) ?? error?.code ?? error?.message;
  }

  send(message: object | string): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  #receive(message: Message): void {
    const { request_id: id } = message;
    const answer = id === undefined ? this.#hellos.shift() : this.#requests.get(id);
    if (id !== undefined) this.#requests.delete(id);
    answer?.(message);
  }
}
