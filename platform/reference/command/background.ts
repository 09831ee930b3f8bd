import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { portInUse } from "../messages";
import type { ReferenceApi } from "../reference-api";
import { isPostgres, MEMORY } from "../store/open";
import {
  dataServed,
  defaultDataUnusable,
  ENDED_EARLY,
  foreignFolder,
  NOT_ON_WINDOWS,
  noServerInBackground,
  notStopped,
  portServed,
  severalInBackground,
} from "./messages";
import type { CommandName } from "./name";

/**
 * Otherwise V8 takes 90 MB more for new objects under load, which is not faster. `--optimize-for-size` and
 * `--semi-space-growth-factor=1` save more, but take 1.3 to 2.4 times the processor time.
 */
const NEW_OBJECTS = "--max-semi-space-size=8";

/** Environment variable from which a background process reads the path of its log. */
const LOG = "DBPLATFORM_API_BACKGROUND";

/** Words in the command line of every server in the background. */
const SERVER_WORDS = [NEW_OBJECTS, "serve", "--background"];

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
  const log = process.env[LOG];
  if (log === undefined) return undefined;
  const file = join(dirname(log), `${process.pid}${FILE}`);
  return {
    /** Makes this server visible to other commands, and sends its details to the command that started it. */
    ready: async (
      started: StartReport,
      { data }: Pick<Place, "data">,
      stop: () => void,
    ): Promise<{ close(): Promise<void> }> => {
      const description: Description = { url: started.url, data: await shareableData(data), log };
      const part = `${file}.part`;
      await writeFile(part, JSON.stringify(description), { mode: 0o600 });
      await rename(part, file);
      // Two commands may stop this server at once, and a signal without a listener would kill it.
      process.on("SIGTERM", stop);
      // If the command that started this process has been killed, the server keeps running, and `stop` can still find
      // it.
      if (process.connected) await new Promise<void>((sent) => process.send?.(started, () => sent()));
      if (process.connected) process.disconnect();
      return { close: () => removeFiles({ file, log }) };
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
  const { running, ended } = await announcedServers(folder);
  await Promise.all(ended.map(removeFiles));
  await removeLeftovers(folder, running);
  const data = await shareableData(place.data);
  const sharing = running.find((server) => data !== undefined && server.data === data);
  if (sharing)
    throw new Error(
      dataServed({ place: place.data, url: sharing.url, port: sharing.port, command: place.command.npx }),
    );

  const log = join(folder, `${randomBytes(4).toString("hex")}.log`);
  const file = await open(log, "wx", 0o600);
  const child = spawn(process.execPath, [...process.execArgv, NEW_OBJECTS, ...process.argv.slice(1)], {
    detached: true,
    env: { ...process.env, [LOG]: log },
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

/**
 * Returns the folder with the files and logs of this user's background servers, and creates the folder if needed.
 *
 * @throws Error if this process runs on Windows, or if the path is not a folder that belongs to this user alone, because
 *   another user could then impersonate a server.
 */
async function backgroundFolder(): Promise<string> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error(NOT_ON_WINDOWS);
  const folder = resolve(tmpdir(), `dbplatform-api-${uid}`);
  await mkdir(folder, { mode: 0o700, recursive: true });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(foreignFolder({ folder }));
  return folder;
}

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

/** The ending of a server's file, which has the server's process id as its name. */
const FILE = ".json";

/** The content of a server's file. */
interface Description {
  readonly url: string;
  /** The path of the data file or the address of the PostgreSQL database. Undefined for data in memory. */
  readonly data?: string | undefined;
  readonly log: string;
}

interface BackgroundServer extends Description {
  readonly pid: number;
  readonly file: string;
  readonly port: number;
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
  const folder = await backgroundFolder();
  const { running } = await announcedServers(folder);
  const servers = running.filter(({ port }) => wantedPort === undefined || port === wantedPort);
  const [server, ...others] = servers;
  if (!server) throw new Error(noServerInBackground({ folder, option, wantedPort }));
  const choices = servers.map(({ url, port }) => (option === "--port" ? `--port ${port}` : `--url ${url}`));
  if (others.length > 0) throw new Error(severalInBackground({ choices }));
  return server;
}

/** Returns the servers of this user that run in the background, and those that were killed. */
async function announcedServers(folder: string): Promise<Record<"running" | "ended", BackgroundServer[]>> {
  const running: BackgroundServer[] = [];
  const ended: BackgroundServer[] = [];
  for (const name of await readdir(folder)) {
    const pid = Number(basename(name, FILE));
    const file = join(folder, name);
    const text = name === `${pid}${FILE}` ? await readFile(file, "utf8").catch(() => undefined) : undefined;
    if (text === undefined) continue;
    const { url, data, log } = descriptionIn(text);
    const server = { url, data, log, pid, file, port: portIn(url) };
    ((await isServer(pid)) ? running : ended).push(server);
  }
  return { running, ended };
}

/** Returns the content of a server's file, which a power cut can leave empty. */
function descriptionIn(text: string): Description {
  try {
    return JSON.parse(text);
  } catch {
    return { url: "", log: "" };
  }
}

/**
 * Returns whether the process with this id is a server of this user in the background. After a server was killed, another
 * program may get its id. A process that has ended, but that its parent has not waited for, has no command line.
 */
async function isServer(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const words = (await commandLineOf(pid)).trim().split(/[\0 ]/);
    return SERVER_WORDS.every((word) => words.includes(word));
  } catch {
    return false;
  }
}

const commandLineOf = async (pid: number): Promise<string> =>
  process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8")
    : (await promisify(execFile)("ps", ["-ww", "-p", `${pid}`, "-o", "command="])).stdout;

/** How long a server may take to stop, in milliseconds. */
const PATIENCE_MS = 15_000;
const POLL_MS = 20;

/** Stops a server, and resolves when its process has ended. */
export async function stopBackgroundServer({ url, pid, log }: BackgroundServer): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  askToEnd(pid);
  while (await isServer(pid)) {
    if (performance.now() > deadline) throw new Error(notStopped({ url, seconds: PATIENCE_MS / 1000, log }));
    await delay(POLL_MS);
  }
}

/** Asks a process to end. Does nothing if it has ended already, because somebody else has stopped it. */
function askToEnd(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
  }
}

/** After this time, in milliseconds, a server that has not written its file is considered killed. */
const LEFT_MS = 3_600_000;

/** Removes the logs and incomplete files of servers that were killed before they had written their files. */
async function removeLeftovers(folder: string, running: readonly BackgroundServer[]): Promise<void> {
  // A server may have another path for the same folder.
  const logs = running.map(({ log }) => basename(log));
  for (const name of await readdir(folder)) {
    if (!/\.(log|part)$/.test(name) || logs.includes(name)) continue;
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > LEFT_MS) await rm(join(folder, name), { force: true });
  }
}

async function removeFiles({ file, log }: Pick<BackgroundServer, "file" | "log">): Promise<void> {
  for (const path of [file, log]) if (path !== "") await rm(path, { force: true });
}
