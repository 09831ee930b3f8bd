import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { portInUse } from "../messages";
import type { ReferenceApi } from "../reference-api";
import { isPostgres, MEMORY } from "../store/open";
import { backgroundFolder, backgroundStemIn, logOf } from "./background/paths";
import { announce, type BackgroundServer, backgroundServers, portOf, removeStaleFiles } from "./background/servers";
import { dataServed, ENDED_EARLY, portServed } from "./messages";

/** Environment variable from which a background process reads the stem of its file paths. */
const STEM = "DBPLATFORM_API_BACKGROUND";

/** The details that the server reports at startup. */
export type Started = Pick<
  ReferenceApi,
  "url" | "organization" | "organizationId" | "apiToken" | "unrestrictedToken" | "sql" | "tokens" | "key" | "seeded"
>;

interface Place {
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
    ready: async (started: Started, { data }: Place, stop: () => void): Promise<{ close(): Promise<void> }> => {
      const announced = await announce(stem, { url: started.url, data: await sharedData(data) }, stop);
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
): Promise<Started & { readonly log: string; readonly data: string | undefined }> {
  const folder = await backgroundFolder();
  await removeStaleFiles();
  const running = await backgroundServers();
  const data = await sharedData(place.data);
  const sharing = running.find((server) => data !== undefined && server.data === data);
  if (sharing) throw new Error(dataServed({ place: place.data, url: sharing.url, port: portOf(sharing.url) }));

  const stem = backgroundStemIn(folder);
  const log = logOf(stem);
  const file = await open(log, "wx", 0o600);
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
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
    return { ...(ready[0] as Started), log, data };
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
    child.unref();
    await file.close();
  }
}

/** Returns the reason why a server could not start, and removes the server's log. */
async function startFailureIn(
  log: string,
  { port, host }: Place,
  running: readonly BackgroundServer[],
): Promise<string> {
  const reason = (await readFile(log, "utf8").catch(() => "")).trim();
  await rm(log, { force: true });
  if (reason === "") return ENDED_EARLY;
  const holder = running.find(({ url }) => portOf(url) === port);
  return holder && reason === portInUse({ port, host }) ? portServed({ url: holder.url, port }) : reason;
}

/**
 * Returns the absolute path of the data file or the address of the PostgreSQL database. Returns `undefined` for data in
 * memory, which other servers cannot access.
 */
async function sharedData(data: string): Promise<string | undefined> {
  if (data === MEMORY || data === "") return undefined;
  return isPostgres(data) ? (await import("../store/postgres.js")).shownAddress(data) : resolve(data);
}
