import type { Answer, Exchange, Trouble } from "../faulty-wire";

const PAGE = "<!doctype html><html><body><h1>Something went wrong</h1></body></html>";
const LARGER_THAN_TAKEN = 65 * 1024 * 1024;

const status =
  (code: number, headers: Record<string, string> = {}): Trouble =>
  ({ send }) =>
    send(code, JSON.stringify({ error: `status ${code}` }), headers);

const afterTheWork =
  (trouble: Trouble): Trouble =>
  async (exchange) => {
    await exchange.forward();
    await trouble(exchange);
  };

/** Returns a handler that changes the body of a successful response and keeps its status. */
const inBody =
  (bodyOf: (text: string) => string): Trouble =>
  async ({ forward, send }) => {
    const answer = await forward();
    send(answer.status, answer.status === 200 ? bodyOf(answer.text) : answer.text);
  };

const date = (ms: number): string => new Date(ms).toUTCString();

export const troubles: Readonly<Record<string, Trouble>> = {
  "a reset before the work": ({ cut }) => cut(),
  "a reset after the work": afterTheWork(({ cut }) => cut()),
  "429": status(429),
  "429 with seconds to wait": status(429, { "retry-after": "0" }),
  "429 with a date to wait for": status(429, { "retry-after": date(0), date: date(0) }),
  "500 before the work": status(500),
  "500 after the work": afterTheWork(status(500)),
  "502 before the work": status(502),
  "502 after the work": afterTheWork(status(502)),
  "503": status(503),
  "504 before the work": status(504),
  "504 after the work": afterTheWork(status(504)),
  "401": status(401),
  "403": status(403),
  "a page of HTML": inBody(() => PAGE),
  "a page of HTML with 502": ({ send }) => send(502, PAGE, { "content-type": "text/html" }),
  "half an answer": async ({ forward, response }) => {
    const { status, text } = await forward();
    response.writeHead(status, { "content-length": Buffer.byteLength(text) });
    response.write(text.slice(0, text.length >> 1), () => response.destroy());
  },
  "an empty answer": inBody(() => ""),
  "an empty object": inBody(() => "{}"),
  null: inBody(() => "null"),
  "a list": inBody(() => "[]"),
  "numbers in place of everything": inBody((text) =>
    JSON.stringify(JSON.parse(text), (_, value) => (typeof value === "object" ? value : 7)),
  ),
  "a redirection": status(302, { location: "http://127.0.0.1:9/" }),
  latency: async ({ forward, send }) => {
    const { status, text }: Answer = await forward();
    await new Promise((resolve) => setTimeout(resolve, 20));
    send(status, text);
  },
};

/** Responds with a body above the size limit. Not one of the `troubles`, because sending the body takes a second. */
export async function oversized({ forward, response }: Exchange): Promise<void> {
  const { status, text } = await forward();
  response.on("error", () => undefined).writeHead(status);
  response.end(text.padEnd(LARGER_THAN_TAKEN));
}
