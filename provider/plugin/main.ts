import { flushCompileCache } from "node:module";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Engine } from "./engine";
import { loadedWhenAsked } from "./loading";

const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

const engineAddress = process.argv[2];
const engine = engineAddress ? new Engine(engineAddress) : undefined;
engine?.whenGone(() => process.exit(0));

/** Left to Node.js, it would be written at the end of the process, which the engine does not wait for (decision 85). */
const keepCompiled = () => setImmediate(flushCompileCache);

// Without an export, esbuild takes this for CommonJS and leaves nothing out (decision 87).
export const server = new Server({ "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES });
server.addService(
  ResourceProviderService,
  loadedWhenAsked(async () => {
    const { service } = await import("./service.js");
    keepCompiled();
    return service({ engine, environment: process.env });
  }),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  // The engine reads the port from the first line, and nothing else from standard output.
  process.stdout.write(`${port}\n`);
  keepCompiled();
});
