import { connect } from "node:net";

/**
 * The requests that the load generator sends. Each connection waits for the response before it sends the next request.
 */
export interface Load {
  readonly url: string;
  readonly apiToken: string;
  /** Paths of the requests, used in turn. */
  readonly paths: readonly string[];
  /**
   * The body of the POST requests. In each request, `{unique}` is replaced by a new name. If `body` is omitted, GET
   * requests are sent.
   */
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Longer than a server needs that answers at all. */
const MOST_WAITED_MS = 10_000;

export interface Answered {
  readonly answers: number;
  readonly seconds: number;
}

/**
 * Sends the requests over plain sockets with minimal HTTP. An HTTP client library takes three times as long per request
 * as the minimal server, so the library would be measured instead of the server.
 */
async function run({ url, apiToken, paths, body: form, connections, seconds }: Load): Promise<Answered> {
  const { host, hostname, port } = new URL(url);
  const run = Date.now().toString(36);
  const begun = performance.now();
  let sent = 0;
  let answers = 0;

  function next(): string {
    const path = paths[sent % paths.length];
    const body = form?.replace("{unique}", `n-${run}-${sent}`) ?? "";
    sent += 1;
    const head = `${form === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
    return `${head}Authorization: Bearer ${apiToken}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }

  const connection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => socket.write(next()));
      let head = "";
      let missing = 0;
      socket.on("error", reject);
      socket.setTimeout(MOST_WAITED_MS, () => socket.destroy(new Error(`no answer within ${MOST_WAITED_MS} ms`)));
      socket.on("data", (bytes) => {
        if (missing === 0) {
          head += bytes.toString("latin1");
          const end = head.indexOf("\r\n\r\n") + 4;
          if (end < 4) return;
          if (!head.startsWith("HTTP/1.1 200 "))
            return void socket.destroy(new Error(`not answered with 200: ${head}`));
          missing = end + Number(/content-length: (\d+)/i.exec(head)?.[1]) - head.length;
          head = "";
        } else missing -= bytes.length;
        if (missing > 0) return;
        answers += 1;
        if (performance.now() - begun < seconds * 1000) return void socket.write(next());
        socket.destroy();
        resolve();
      });
    });
  await Promise.all(Array.from({ length: connections }, connection));
  return { answers, seconds: (performance.now() - begun) / 1000 };
}

process.once("message", async (load: Load) => {
  process.send?.(await run(load));
  process.disconnect();
});
