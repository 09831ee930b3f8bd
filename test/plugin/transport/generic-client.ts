import { Client, type ClientOptions, credentials, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { onTestFinished } from "vitest";
import { type ListeningServer, listenForCalls, type Methods } from "../../../kit/plugin/transport/server";

const same = (bytes: Buffer) => bytes;

export async function serverOf(methods: Methods): Promise<ListeningServer> {
  const server = await listenForCalls(async () => methods);
  onTestFinished(() => server.close());
  return server;
}

/** Creates a client based on grpc-js, a gRPC implementation that the plugin does not use. Messages are raw bytes. */
export function clientOf(port: number, options: ClientOptions = {}): Client {
  const largest = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { ...largest, ...options });
  onTestFinished(() => client.close());
  return client;
}

export interface UnaryAnswer {
  readonly failure: ServiceError | undefined;
  readonly message: Buffer | undefined;
}

export const unary = (client: Client, path: string, message: Buffer, metadata?: Metadata): Promise<UnaryAnswer> =>
  new Promise((resolve) => {
    const answered = (failure: ServiceError | null, answer?: Buffer) =>
      resolve({ failure: failure ?? undefined, message: answer });
    if (metadata) client.makeUnaryRequest(path, same, same, message, metadata, answered);
    else client.makeUnaryRequest(path, same, same, message, answered);
  });

export const streaming = (client: Client, path: string) =>
  client.makeServerStreamRequest(path, same, same, Buffer.alloc(0));
