"use strict";
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
require("@pulumi/pulumi/proto/provider_pb");

/**
 * A minimal plugin that loads only the modules that every Node.js plugin needs. Our startup is compared with its
 * startup.
 */
const server = new Server();
server.addService(ResourceProviderService, {});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  process.stdout.write(`${port}\n`);
});
