import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { service } from "./service";

const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

const server = new Server({ "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES });
server.addService(
  ResourceProviderService,
  service({ engineAddress: process.argv[2], environment: process.env, engineGone: () => process.exit(0) }),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  // The engine reads the port from the first line, and nothing else from standard output.
  process.stdout.write(`${port}\n`);
});
