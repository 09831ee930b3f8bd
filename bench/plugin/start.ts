import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { residentMegabytes } from "../resident-memory";

export interface Start {
  /** Time from starting the process until it prints its port, in milliseconds. */
  readonly milliseconds: number;
  /** Resident memory after the response to the first call, in megabytes. */
  readonly megabytes: number;
}

/** Starts and stops a plugin as the engine does, and measures its startup. */
export async function startPlugin(executable: string): Promise<Start> {
  const engine = await listen();
  const begun = performance.now();
  const child = spawn(executable, [`127.0.0.1:${engine.port}`], { stdio: ["pipe", "pipe", "inherit"] });
  const end = once(child, "exit");
  try {
    const [line] = await once(createInterface(child.stdout), "line");
    const milliseconds = performance.now() - begun;
    await ask(Number(line));
    return { milliseconds, megabytes: residentMegabytes(child.pid) };
  } finally {
    child.kill("SIGINT");
    await end;
    engine.server.forceShutdown();
  }
}

/** Calls the plugin once, so that it loads all its modules. Ignores the response. */
function ask(port: number): Promise<void> {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return new Promise((resolve) =>
    client.getPluginInfo(new Empty(), () => {
      client.close();
      resolve();
    }),
  );
}

/** Stands in for the engine: starts the server that a plugin connects to on startup. */
async function listen(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = new Server();
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) =>
      failure ? reject(failure) : resolve({ server, port }),
    );
  });
}
