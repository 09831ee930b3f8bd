import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { root } from "./run";

export interface ReadyMessage {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
  /** URL of a database, with the placeholder `{DbId}`. Present only with the argument `--sql`. */
  readonly sql?: string;
}

export type ReferenceServer = ChildProcessByStdio<null, Readable, null>;

/** Starts the reference API in its own process, as users do, on any free port unless the arguments contain a port. */
export function startReference(...args: readonly string[]): ReferenceServer {
  const command = [join(root, "dist/dbplatform.js"), "api", "serve", "--json", ...args];
  return spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Resolves with the first line of output when the reference API is ready. Rejects if the process ends before that. */
export async function readyMessageOf(server: ChildProcess): Promise<ReadyMessage> {
  if (!server.stdout) throw new Error("the reference API has no output");
  const ended = once(server, "exit").then(() => {
    throw new Error("the reference API ended before it was ready");
  });
  const [line] = await Promise.race([once(createInterface(server.stdout), "line"), ended]);
  return JSON.parse(line);
}

/** Returns the environment variables that configure the provider for this reference API. */
export const environmentFor = ({
  url,
  organization,
  apiToken,
}: Omit<ReadyMessage, "organizationId">): Record<string, string> => ({
  DBPLATFORM_BASE_URL: url,
  DBPLATFORM_ORGANIZATION: organization,
  DBPLATFORM_API_TOKEN: apiToken,
});

/**
 * Sends a control request to the reference API, for example to set its clock. The real platform has no control
 * requests.
 */
export async function control({ url }: ReadyMessage, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/_reference/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
