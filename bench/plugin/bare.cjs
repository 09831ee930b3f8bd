"use strict";
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
require("@pulumi/pulumi/proto/provider_pb");

/**
 * A minimal plugin, which loads the installed modules that every plugin in Node.js needs and nothing else. Our start is
 * compared with its start.
 */
const server = new Server();
server.addService(ResourceProviderService, {});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  process.stdout.write(`${port}\n`);
});
