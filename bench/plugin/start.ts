import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Server, ServerCredentials } from "@grpc/grpc-js";

/** How one start of a plugin went. */
export interface Start {
  /** From spawning the process to its port line. */
  readonly milliseconds: number;
  /** Resident, right after that line. */
  readonly megabytes: number;
}

/** Starts an executable file as the engine does, and ends it as the engine does. */
export async function startPlugin(executable: string): Promise<Start> {
  const engine = await listen();
  const begun = performance.now();
  const child = spawn(executable, [`127.0.0.1:${engine.port}`], { stdio: ["pipe", "pipe", "inherit"] });
  const end = once(child, "exit");
  try {
    await once(createInterface(child.stdout), "line");
    const milliseconds = performance.now() - begun;
    // Linux and macOS alike; in kilobytes.
    const kilobytes = Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)]).toString());
    return { milliseconds, megabytes: kilobytes / 1024 };
  } finally {
    child.kill("SIGINT");
    await end;
    engine.server.forceShutdown();
  }
}

/** What a plugin connects to from its start on. */
async function listen(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = new Server();
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) =>
      failure ? reject(failure) : resolve({ server, port }),
    );
  });
}
