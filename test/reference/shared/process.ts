import { spawn } from "node:child_process";
import { once } from "node:events";
import { bundledCommand } from "../bundle";

/** A server in its own process. The first line of its output describes the server. */
export interface ServerProcess {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
  readonly unrestrictedToken: string;
  kill(): Promise<void>;
}

const command = bundledCommand();

export async function startProcess(place: string, ...options: readonly string[]): Promise<ServerProcess> {
  const args = [command, "api", "serve", "--json", "--data", place, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const line = await Promise.race([
    once(child.stdout, "data").then(([chunk]) => String(chunk)),
    ended.then(() => Promise.reject(new Error("the server ended before it was ready"))),
  ]);
  return {
    ...JSON.parse(line),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
