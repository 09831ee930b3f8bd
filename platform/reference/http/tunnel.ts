import type { IncomingMessage, Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";

/**
 * Handles CONNECT requests from clients that use this server as their proxy. If `isServed` accepts the host, the client
 * is connected to this server itself. This lets clients use HTTPS with a database's hostname, which does not exist in
 * DNS.
 *
 * @returns Whether the client was connected.
 */
export function openTunnel(
  { url = "" }: IncomingMessage,
  { socket, server, isServed }: { socket: Duplex; server: Server; isServed: (host: string) => boolean },
): boolean {
  if (!isServed(url)) return false;
  const { port, address } = server.address() as AddressInfo;
  const own = connect(port, address);
  own.once("connect", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  // Closes both connections when either ends. Errors are ignored, because no caller could handle them.
  pipeline(socket, own, socket, () => undefined);
  return true;
}
