import { spawn } from "node:child_process";
import { once } from "node:events";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { GetRequiredPluginsResponse, type RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { onTestFinished } from "vitest";

/**
 * Serves a language host that starts compiled Go programs, as Pulumi's host for Go does. Pulumi does not publish its
 * own host as a Go module.
 *
 * @param program Returns the path of the program to start.
 * @returns The address for the CLI's `--client` option.
 */
export async function serveGoHost(program: () => string): Promise<string> {
  const server = new Server();
  server.addService(LanguageRuntimeService, {
    getPluginInfo: (_: unknown, answer: sendUnaryData<PluginInfo>) => answer(null, new PluginInfo()),
    getRequiredPlugins: (_: unknown, answer: sendUnaryData<GetRequiredPluginsResponse>) =>
      answer(null, new GetRequiredPluginsResponse()),
    run: async ({ request }: ServerUnaryCall<RunRequest, RunResponse>, answer: sendUnaryData<RunResponse>) => {
      const response = new RunResponse();
      response.setError(await run(program(), request));
      answer(null, response);
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, bound) =>
      failure ? reject(failure) : resolve(bound),
    ),
  );
  onTestFinished(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

/** Runs a program. Returns an empty string if the program succeeds, and its output if it fails. */
async function run(program: string, request: RunRequest): Promise<string> {
  const env = {
    ...process.env,
    PULUMI_PROJECT: request.getProject(),
    PULUMI_STACK: request.getStack(),
    PULUMI_ORGANIZATION: request.getOrganization(),
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toObject())),
    PULUMI_DRY_RUN: String(request.getDryrun()),
    PULUMI_PARALLEL: String(request.getParallel()),
    PULUMI_MONITOR: request.getMonitorAddress(),
    PULUMI_ENGINE: request.getArgsList()[0],
  };
  const child = spawn(program, { cwd: request.getPwd(), env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      printed += text;
    });
  const [code] = await once(child, "close");
  return code === 0 ? "" : printed;
}
