import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** What the server says to these bytes until it ends the connection. */
export async function exchange(url: string, sent: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The server may cut off whoever is still sending.
  socket.on("error", () => undefined);
  socket.write(sent);
  return text(socket);
}
