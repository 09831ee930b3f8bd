import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import "@pulumi/pulumi/proto/provider_pb";

/** The floor of a start: what every plugin in Node.js has to load, and nothing else. */
const server = new Server();
server.addService(ResourceProviderService, {});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  process.stdout.write(`${port}\n`);
});
