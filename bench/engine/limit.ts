import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

const SECOND_MS = 1_000;

export interface Limited {
  readonly url: string;
  readonly asked: number;
  end(): void;
}

/**
 * Starts a proxy that forwards at most `mostASecond` requests per second and rejects further requests with 429 and
 * `Retry-After: 1`.
 */
export async function limit(platform: string, mostASecond: number): Promise<Limited> {
  let [asked, begun, taken] = [0, 0, 0];
  const server = createServer((incoming, outgoing) => {
    asked++;
    if (Date.now() - begun >= SECOND_MS) [begun, taken] = [Date.now(), 0];
    if (++taken > mostASecond) {
      incoming.resume();
      outgoing.writeHead(429, { "Retry-After": "1", "Content-Type": "application/json" });
      outgoing.end(JSON.stringify({ error: "too many requests" }));
      return;
    }
    const { method, headers, url = "/" } = incoming;
    const forwarded = request(new URL(url, platform), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get asked() {
      return asked;
    },
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
}
