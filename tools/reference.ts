import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { root } from "./run";

/** What the reference API tells when it is ready: its address, and the token of an owner. */
export interface Told {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
}

export type Server = ChildProcessByStdio<null, Readable, null>;

/** The reference API as users start it, in a process of its own, at any free port unless another is given. */
export function startReference(...args: readonly string[]): Server {
  const command = [join(root, "dist/dbplatform-api.js"), "serve", "--json", ...args];
  return spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Resolves when it is ready, whatever way it was started. */
export async function toldBy(server: ChildProcess): Promise<Told> {
  if (!server.stdout) throw new Error("the reference API has no output");
  const ended = once(server, "exit").then(() => {
    throw new Error("the reference API ended before it was ready");
  });
  const [line] = await Promise.race([once(createInterface(server.stdout), "line"), ended]);
  return JSON.parse(line);
}

/** What the provider reads. */
export const environmentFor = ({
  url,
  organization,
  apiToken,
}: Omit<Told, "organizationId">): Record<string, string> => ({
  DBPLATFORM_BASE_URL: url,
  DBPLATFORM_ORGANIZATION: organization,
  DBPLATFORM_API_TOKEN: apiToken,
});

/** Asks the reference API for what the platform does not have: faults, the journal, the clock. */
export async function control({ url }: Told, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/_reference/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
