import { type AddressInfo, createServer } from "node:net";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { GrpcConnection } from "./client";

const same = (bytes: Buffer) => bytes;
const definition = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
});

async function served() {
  const server = new Server();
  server.addService(
    { echo: definition("/test/Echo"), fail: definition("/test/Fail"), wait: definition("/test/Wait") },
    {
      echo: ({ request }: { request: Buffer }, done: (failure: null, answer: Buffer) => void) => done(null, request),
      fail: (_: unknown, done: (failure: object) => void) =>
        done({ code: status.ALREADY_EXISTS, details: "the name “orders” is taken" }),
      wait: () => {},
    },
  );
  const port = await new Promise<number>((resolve) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_, bound) => resolve(bound)),
  );
  onTestFinished(() => server.forceShutdown());
  const connection = new GrpcConnection(`127.0.0.1:${port}`);
  onTestFinished(() => connection.close());
  return { server, connection };
}

test("returns the server's response to a call, or throws its status and message", async () => {
  const { connection } = await served();
  expect(String(await connection.unary("/test/Echo", Buffer.from("hello")))).toBe("hello");
  await expect(connection.unary("/test/Fail", Buffer.alloc(0))).rejects.toMatchObject({
    code: status.ALREADY_EXISTS,
    message: "the name “orders” is taken",
  });
  await expect(connection.unary("/test/Other", Buffer.alloc(0))).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

test("ends the connection and its calls when the server exits", async () => {
  const { server, connection } = await served();
  await connection.unary("/test/Echo", Buffer.alloc(0));
  const underWay = connection.unary("/test/Wait", Buffer.alloc(0));
  server.forceShutdown();
  await expect(underWay).rejects.toMatchObject({ code: status.UNAVAILABLE });
  await connection.ended;
  await expect(connection.unary("/test/Echo", Buffer.alloc(0))).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

test("treats the connection as ended when the server sends GOAWAY, even if the socket stays open", async () => {
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const server = createServer((socket) => socket.on("error", () => {}).write(Buffer.concat([settings, goaway])));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await new GrpcConnection(`127.0.0.1:${(server.address() as AddressInfo).port}`).ended;
});

test("fails the call and marks the connection as ended if the server cannot be reached", async () => {
  const connection = new GrpcConnection("127.0.0.1:1");
  await expect(connection.unary("/test/Echo", Buffer.alloc(0))).rejects.toMatchObject({ code: status.UNAVAILABLE });
  await connection.ended;
});
