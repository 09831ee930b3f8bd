import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts a proxy that leads from every host, also those that no DNS server resolves, to a port of this machine. Records
 * the hosts that it was asked for.
 *
 * @param status Status with which the proxy refuses every connection.
 */
export async function foreignHosts(port: number, { status = 200 } = {}) {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(500).end());
  server.on("connect", ({ url = "" }, client) => {
    asked.push(url);
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const platform = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      platform.pipe(client).pipe(platform);
    });
    for (const socket of [client, platform]) socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
