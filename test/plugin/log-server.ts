import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { onTestFinished } from "vitest";

/** Starts a server that receives log messages, as the engine does. */
export async function logServer(): Promise<{ address: string; said: string[] }> {
  const said: string[] = [];
  const log = ({ request }: ServerUnaryCall<LogRequest, Empty>, answer: sendUnaryData<Empty>) => {
    said.push(request.getMessage());
    answer(null, new Empty());
  };
  const server = new Server();
  server.addService({ log: EngineService.log } as never, { log } as never);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, bound) =>
      failure ? reject(failure) : resolve(bound),
    ),
  );
  onTestFinished(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, said };
}
