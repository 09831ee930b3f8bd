import type { IncomingMessage, Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";

/**
 * Connects a client to this server itself, if the client uses this server as its proxy and asks for one of these hosts.
 * So clients that know only a hostname and HTTPS reach a database whose hostname does not exist.
 *
 * @returns Whether the host is one of these.
 */
export function openTunnel(
  { url = "" }: IncomingMessage,
  { socket, server, isServed }: { socket: Duplex; server: Server; isServed: (host: string) => boolean },
): boolean {
  if (!isServed(url)) return false;
  const { port, address } = server.address() as AddressInfo;
  const own = connect(port, address);
  own.once("connect", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  // An end of either side ends the other; there is nobody to tell about a failure.
  pipeline(socket, own, socket, () => undefined);
  return true;
}
