import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Returns a port of the loopback interface that no program listens on. It is below those that systems choose for others,
 * so that no connection takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "EADDRINUSE") return freePort();
    throw failure;
  }
  server.close();
  await once(server, "close");
  return port;
}
