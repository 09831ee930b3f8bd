import { Agent, request as send } from "node:http";

/** A value of the protocol. */
export type HranaValue = { readonly type: string; readonly value?: string | number; readonly base64?: string };

export interface Statement {
  readonly sql?: string;
  readonly sql_id?: number;
  readonly args?: readonly HranaValue[];
  readonly named_args?: readonly { readonly name: string; readonly value: HranaValue }[];
  readonly want_rows?: boolean;
}

export interface BatchStep {
  readonly stmt: Statement;
  readonly condition?: object;
}

/** A request of a pipeline. */
export type PipelineRequest =
  | { readonly type: "execute"; readonly stmt: Statement }
  | { readonly type: "batch"; readonly batch: { readonly steps: readonly BatchStep[] } }
  | { readonly type: "sequence" | "describe"; readonly sql?: string; readonly sql_id?: number }
  | { readonly type: "store_sql"; readonly sql_id: number; readonly sql: string }
  | { readonly type: "close_sql"; readonly sql_id: number }
  | { readonly type: "get_autocommit" | "close" };

/** One HTTP request. A turn continues the stream of the turn before, unless that stream was closed. */
export type Turn = { readonly requests: readonly PipelineRequest[] } | { readonly cursor: readonly BatchStep[] };

export const execute = (sql: string, rest: Statement = {}): PipelineRequest => ({
  type: "execute",
  stmt: { sql, ...rest },
});
export const CLOSE: PipelineRequest = { type: "close" };

export interface TurnAnswer {
  readonly status: number;
  /** The body of a response over HTTP, whose first line has the baton. */
  readonly text: string;
}

/** A database on one of the servers, reached over HTTP or over WebSockets. */
export interface DatabaseConnection {
  /** Continues the stream of the turn before, unless that stream was closed. */
  send(turn: Turn): Promise<TurnAnswer>;
}

export interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const agent = new Agent({ keepAlive: true });

/** Sends each turn as one request over HTTP. */
export class OverHttp implements DatabaseConnection {
  #baton: string | null = null;

  constructor(readonly address: Address) {}

  async send(turn: Turn): Promise<TurnAnswer> {
    const answer = await post(this.address, turn, this.#baton);
    this.#baton = answer.status === 200 ? JSON.parse(answer.text.split("\n", 1)[0] ?? "").baton : null;
    return answer;
  }
}

/** Sends one request. `fetch` cannot, because it does not send the `Host` header that selects a database of sqld. */
function post({ url, headers }: Address, turn: Turn, baton: string | null): Promise<TurnAnswer> {
  const [path, body] =
    "cursor" in turn
      ? ["v3/cursor", { baton, batch: { steps: turn.cursor } }]
      : ["v3/pipeline", { baton, requests: turn.requests }];
  return new Promise((resolve, reject) => {
    const options = { method: "POST", agent, headers: { "Content-Type": "application/json", ...headers } };
    const sent = send(url + path, options, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      // sqld closes the connection if a cursor fails in a row.
      answer.on("error", ({ message }) => resolve({ status: 0, text: message }));
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}
