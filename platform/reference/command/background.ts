import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { lstat, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { portInUse } from "../messages";
import type { ReferenceApi } from "../reference-api";
import { isPostgres, MEMORY } from "../store/open";
import {
  dataServed,
  defaultDataUnusable,
  ENDED_EARLY,
  folderTooLong,
  foreignFolder,
  NOT_ON_WINDOWS,
  noServerInBackground,
  portServed,
  severalInBackground,
  unresponsive,
} from "./messages";
import type { CommandName } from "./name";

/**
 * Otherwise V8 takes 90 MB more for new objects under load, which is not faster. `--optimize-for-size` and
 * `--semi-space-growth-factor=1` save more, but take 1.3 to 2.4 times the processor time.
 */
const NEW_OBJECTS = "--max-semi-space-size=8";

/** Environment variable from which a background process reads the stem of its file paths. */
const STEM = "DBPLATFORM_API_BACKGROUND";

/** The details that the server reports at startup. */
export type StartReport = Pick<
  ReferenceApi,
  "url" | "organization" | "organizationId" | "apiToken" | "unrestrictedToken" | "sql" | "tokens" | "key" | "seeded"
>;

interface Place {
  readonly command: CommandName;
  readonly port: number;
  readonly host: string;
  readonly data: string;
}

/**
 * Returns the callback that a process started by `startInBackground` uses to report that it is ready. Returns
 * `undefined` in any other process.
 */
export function backgroundProcess() {
  const stem = process.env[STEM];
  if (stem === undefined) return undefined;
  return {
    /** Makes this server visible to other commands, and sends its details to the command that started it. */
    ready: async (
      started: StartReport,
      { data }: Pick<Place, "data">,
      stop: () => void,
    ): Promise<{ close(): Promise<void> }> => {
      const announced = await announceServer(stem, { url: started.url, data: await shareableData(data) }, stop);
      // If the command that started this process has been killed, the server keeps running, and `stop` can still find
      // it.
      if (process.connected) await new Promise<void>((sent) => process.send?.(started, () => sent()));
      if (process.connected) process.disconnect();
      return {
        close: async () => {
          announced.close();
          await rm(logOf(stem), { force: true });
        },
      };
    },
  };
}

/**
 * Runs the command of this process again in a detached process, and waits until the server is ready.
 *
 * @throws Error if the server cannot start, or if another background server already uses the port or the data.
 */
export async function startInBackground(
  place: Place,
): Promise<StartReport & { readonly port: number; readonly log: string; readonly data: string | undefined }> {
  const folder = await backgroundFolder();
  await removeStaleFiles();
  const running = await runningServers();
  const data = await shareableData(place.data);
  const sharing = running.find((server) => data !== undefined && server.data === data);
  if (sharing)
    throw new Error(
      dataServed({ place: place.data, url: sharing.url, port: sharing.port, command: place.command.npx }),
    );

  const stem = stemIn(folder);
  const log = logOf(stem);
  const file = await open(log, "wx", 0o600);
  const child = spawn(process.execPath, [...process.execArgv, NEW_OBJECTS, ...process.argv.slice(1)], {
    detached: true,
    env: { ...process.env, [STEM]: stem },
    stdio: ["ignore", file.fd, file.fd, "ipc"],
  });
  const interrupt = () => child.kill();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  try {
    const ended = once(child, "exit").then(() => undefined);
    const ready = await Promise.race([once(child, "message"), ended]);
    if (!ready || child.killed) {
      await ended;
      throw new Error(await startFailureIn(log, place, running));
    }
    const started = ready[0] as StartReport;
    return { ...started, port: portIn(started.url), log, data };
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
    child.unref();
    await file.close();
  }
}

/** Returns the reason why a server could not start, and removes the server's log. */
async function startFailureIn(
  log: string,
  { port, host, command }: Place,
  running: readonly BackgroundServer[],
): Promise<string> {
  const reason = (await readFile(log, "utf8").catch(() => "")).trim();
  await rm(log, { force: true });
  if (reason === "") return ENDED_EARLY;
  const holder = running.find((server) => server.port === port);
  return holder && reason === portInUse({ port, host })
    ? portServed({ url: holder.url, port, command: command.npx })
    : reason;
}

/**
 * Returns the absolute path of the data file or the address of the PostgreSQL database. Returns `undefined` for data in
 * memory, which other servers cannot access.
 */
async function shareableData(data: string): Promise<string | undefined> {
  if (data === MEMORY || data === "") return undefined;
  return isPostgres(data) ? (await import("../store/postgres.js")).shownPostgresAddress(data) : resolve(data);
}

/** The maximum length of a socket path on macOS, in bytes. Linux allows 107 bytes. */
const SOCKET_PATH_BYTES = 103;

/**
 * Returns the folder with the sockets and logs of this user's background servers, and creates the folder if needed.
 *
 * @throws Error if this process runs on Windows, if a socket path would be too long, or if the path is not a folder that
 *   belongs to this user alone, because another user could then impersonate a server.
 */
async function backgroundFolder(): Promise<string> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error(NOT_ON_WINDOWS);
  const folder = resolve(tmpdir(), `dbplatform-api-${uid}`);
  if (Buffer.byteLength(socketOf(stemIn(folder))) > SOCKET_PATH_BYTES) throw new Error(folderTooLong({ folder }));
  await mkdir(folder, { mode: 0o700, recursive: true });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(foreignFolder({ folder }));
  return folder;
}

/** Returns the stem of a new server's file paths. Each path is the stem followed by an extension. */
const stemIn = (folder: string): string => join(folder, randomBytes(4).toString("hex"));

/** Returns the path of a background server's socket, given the stem of its file paths. */
const socketOf = (stem: string): string => `${stem}.sock`;
const logOf = (stem: string): string => `${stem}.log`;

/** Keeps the file's name within the 255 bytes that file systems allow, in any script. */
const LONGEST_NAME = 50;

/**
 * Returns the path of the data that background servers use by default. Each working folder has its own data, because a
 * stack usually has a folder of its own, and a folder in a repository is no place for the server's signing keys.
 *
 * @throws Error if the folder for the data cannot be created.
 */
export async function defaultBackgroundData(): Promise<string> {
  const { XDG_DATA_HOME = "" } = process.env;
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  const folder = join(isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home, ".local", "share"), "dbplatform-api");
  await mkdir(folder, { mode: 0o700, recursive: true }).catch((cause: Error) => {
    throw new Error(defaultDataUnusable({ folder, reason: cause.message }), { cause });
  });
  const path = process.cwd();
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 8);
  return join(folder, `${basename(path).slice(0, LONGEST_NAME)}-${hash}.db`);
}

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

interface BackgroundServer extends Description {
  readonly port: number;
  /** Stops the server, and resolves when its process exits. */
  stop(): Promise<void>;
}

/**
 * Listens on a socket in the file system, which other commands use to find and stop this server. Identifying a
 * server by its process id would be unsafe, because another process could have reused the id.
 *
 * @param stop Called when a command asks the server to stop.
 */
async function announceServer(stem: string, description: Description, stop: () => void): Promise<{ close(): void }> {
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
const portIn = (url: string): number => Number(/\d+$/.exec(url));

/**
 * Returns the server in the background that has this port, or the only one.
 *
 * @param option The option of the command with which the user can select a server.
 * @throws Error if there is no such server, or if there are several.
 */
export async function selectBackgroundServer(
  option: "--port" | "--url",
  wantedPort?: number,
): Promise<BackgroundServer> {
  const servers = (await runningServers()).filter(({ port }) => wantedPort === undefined || port === wantedPort);
  const [server, ...others] = servers;
  if (!server) throw new Error(noServerInBackground({ folder: await backgroundFolder(), option, wantedPort }));
  const choices = servers.map(({ url, port }) => (option === "--port" ? `--port ${port}` : `--url ${url}`));
  if (others.length > 0) throw new Error(severalInBackground({ choices }));
  return server;
}

/** Returns the servers of this user that run in the background. */
async function runningServers(): Promise<BackgroundServer[]> {
  const servers = await Promise.all((await announcedStems()).map(serverAt));
  return servers.flatMap((server) => server ?? []);
}

/** Removes files left behind by killed servers. */
async function removeStaleFiles(): Promise<void> {
  for (const stem of await announcedStems())
    if (!(await serverAt(stem))) for (const file of [logOf(stem), socketOf(stem)]) await rm(file, { force: true });
}

async function announcedStems(): Promise<string[]> {
  const folder = await backgroundFolder();
  return (await readdir(folder)).flatMap((name) =>
    name.endsWith(socketOf("")) ? join(folder, name.slice(0, -socketOf("").length)) : [],
  );
}

async function serverAt(stem: string): Promise<BackgroundServer | undefined> {
  const description = await talkToServer(stem, descriptionFrom);
  return (
    description && {
      ...description,
      port: portIn(description.url),
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
