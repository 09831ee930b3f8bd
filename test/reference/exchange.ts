import { connect } from "node:net";
import { text } from "node:stream/consumers";

export async function exchange(url: string, sent: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Ignores errors, because the server may close the connection while the client is still sending.
  socket.on("error", () => undefined);
  socket.write(sent);
  return text(socket);
}
