"use strict";
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
require("@pulumi/pulumi/proto/provider_pb");

/**
 * The minimal start to compare with: loads the installed modules that every plugin in Node.js needs, and nothing else.
 */
const server = new Server();
server.addService(ResourceProviderService, {});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  process.stdout.write(`${port}\n`);
});
