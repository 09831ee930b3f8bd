import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { unresponsive } from "../messages";
import { backgroundFolder, logOf, socketOf } from "./paths";

/** How long a server may take to respond or to stop, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Codes of connection errors that mean that no server is running. */
const GONE = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"]);

/** The description that a background server sends on each connection. */
interface Description {
  readonly url: string;
  /** The path of the data file or the address of the PostgreSQL database. Undefined for data in memory. */
  readonly data?: string | undefined;
}

export interface BackgroundServer extends Description {
  /** Stops the server, and resolves when its process exits. */
  stop(): Promise<void>;
}

/**
 * Listens on a socket in the file system, which other commands use to find and stop this server. Identifying a
 * server by its process id would be unsafe, because another process could have reused the id.
 *
 * @param stop Called when a command asks the server to stop.
 */
export async function announce(stem: string, description: Description, stop: () => void): Promise<{ close(): void }> {
  const server = createServer((socket) => {
    // Leaves the connection open until the process exits, because a command that stops this server waits for the
    // connection to close. `unref` lets the process exit despite the open connection.
    socket.unref().on("error", () => undefined);
    socket.write(`${JSON.stringify(description)}\n`);
    socket.once("data", stop);
  });
  server.listen(socketOf(stem));
  await once(server, "listening");
  return { close: () => void server.close() };
}

/** Returns the port of a server's address. These addresses always contain a port. */
export const portOf = (url: string): number => Number(/\d+$/.exec(url));

/** Returns the servers of this user that run in the background. */
export async function backgroundServers(): Promise<BackgroundServer[]> {
  const servers = await Promise.all((await announcedStems()).map(serverOf));
  return servers.flatMap((server) => server ?? []);
}

/** Removes files left behind by killed servers. */
export async function removeStaleFiles(): Promise<void> {
  for (const stem of await announcedStems())
    if (!(await serverOf(stem))) for (const file of [logOf(stem), socketOf(stem)]) await rm(file, { force: true });
}

async function announcedStems(): Promise<string[]> {
  const folder = await backgroundFolder();
  return (await readdir(folder)).flatMap((name) =>
    name.endsWith(socketOf("")) ? join(folder, name.slice(0, -socketOf("").length)) : [],
  );
}

async function serverOf(stem: string): Promise<BackgroundServer | undefined> {
  const description = await talkToServer(stem, descriptionFrom);
  return (
    description && {
      ...description,
      stop: async () => {
        await talkToServer(stem, async (socket) => {
          socket.write("stop\n");
          await once(socket.resume(), "close");
        });
      },
    }
  );
}

async function descriptionFrom(socket: Socket): Promise<Description> {
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    text += chunk;
    if (text.endsWith("\n")) break;
  }
  return JSON.parse(text);
}

/**
 * Connects to a background server and returns the result of `work`. Resolves with `undefined` if no process listens on
 * the socket anymore.
 */
async function talkToServer<T>(stem: string, work: (socket: Socket) => Promise<T>): Promise<T | undefined> {
  const socket = createConnection(socketOf(stem));
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(unresponsive({ log: logOf(stem) }))));
  try {
    await once(socket, "connect");
    return await work(socket);
  } catch (failure) {
    const { code = "" } = failure as NodeJS.ErrnoException;
    if (!GONE.has(code)) throw failure;
    return undefined;
  } finally {
    socket.destroy();
  }
}
