import { once } from "node:events";
import { connect } from "node:http2";
import { compressionAlgorithms, status } from "@grpc/grpc-js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { framed } from "../../../kit/plugin/transport/framing";
import { COMPRESSED_MESSAGE } from "../../../kit/plugin/transport/messages";
import type { CallContext } from "../../../kit/plugin/transport/server";
import { CallFailure } from "../../../kit/plugin/transport/status";
import { clientOf, serverOf, streaming, unary } from "./generic-client";

const MEGABYTE = 1024 * 1024;
const echo = { unary: async (request: Buffer) => request };

test("returns the method's result for messages of any length", async () => {
  const { port } = await serverOf({ "/test/Echo": echo });
  const client = clientOf(port);
  const lengths = fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(3 * MEGABYTE));
  await fc.assert(
    fc.asyncProperty(lengths, fc.nat(255), async (length, byte) => {
      const { message } = await unary(client, "/test/Echo", Buffer.alloc(length, byte));
      expect(message?.equals(Buffer.alloc(length, byte))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("returns the matching response to each of a thousand concurrent calls on one connection", async () => {
  const { port } = await serverOf({ "/test/Echo": echo });
  const client = clientOf(port);
  const asked = Array.from({ length: 1000 }, (_, index) => Buffer.from(String(index)));
  const answers = await Promise.all(asked.map((message) => unary(client, "/test/Echo", message)));
  expect(answers.map(({ message }) => String(message))).toEqual(asked.map(String));
});

test.each(process.env.TEST_FULL ? [100, 400] : [100])("receives and returns a message of %i MB", async (size) => {
  const { port } = await serverOf({ "/test/Echo": echo });
  const { message } = await unary(clientOf(port), "/test/Echo", Buffer.alloc(size * MEGABYTE, 1));
  expect(message?.length).toBe(size * MEGABYTE);
});

test("reports a failure with the method's status, message and details", async () => {
  let thrown: unknown;
  const { port } = await serverOf({
    "/test/Fail": {
      unary: async () => {
        throw thrown;
      },
    },
  });
  const client = clientOf(port);
  const codes = fc.constantFrom(...Object.values(status).filter((code) => typeof code === "number" && code > 0));
  await fc.assert(
    fc.asyncProperty(codes, fc.string({ unit: "grapheme" }), fc.uint8Array(), async (code, text, details) => {
      thrown = new CallFailure(code as never, text, details);
      const { failure } = await unary(client, "/test/Fail", Buffer.alloc(0));
      expect(failure).toMatchObject({ code, details: text });
      expect(failure?.metadata.get("grpc-status-details-bin")).toEqual([Buffer.from(details)]);
    }),
  );
  thrown = new TypeError("x is not a function");
  expect((await unary(client, "/test/Fail", Buffer.alloc(0))).failure).toMatchObject({
    code: status.INTERNAL,
    details: "TypeError: x is not a function",
  });
});

test("returns UNIMPLEMENTED for an unknown method and for a compressed message", async () => {
  const { port } = await serverOf({ "/test/Echo": echo });
  for (const path of ["/test/Other", "/constructor", "/"])
    expect((await unary(clientOf(port), path, Buffer.alloc(0))).failure?.code).toBe(status.UNIMPLEMENTED);
  const compressing = clientOf(port, { "grpc.default_compression_algorithm": compressionAlgorithms.gzip });
  const { failure } = await unary(compressing, "/test/Echo", Buffer.alloc(10_000));
  expect(failure).toMatchObject({ code: status.UNIMPLEMENTED, details: COMPRESSED_MESSAGE });
});

/** Creates a method that does not respond until `answer` is called. `begun` resolves with the call's abort signal. */
function waiting() {
  let answer: (message: Buffer) => void = () => {};
  let begin: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => (begin = resolve));
  const answered = new Promise<Buffer>((resolve) => (answer = resolve));
  const method = {
    unary: (_: Buffer, { signal }: CallContext) => {
      begin(signal);
      return answered;
    },
  };
  return { method, begun, answer };
}

test("aborts the signal when the caller cancels or disconnects", async () => {
  const [cancelled, left] = [waiting(), waiting()];
  const { port } = await serverOf({ "/test/Cancelled": cancelled.method, "/test/Left": left.method });
  const client = clientOf(port);
  const same = (bytes: Buffer) => bytes;
  const call = client.makeUnaryRequest("/test/Cancelled", same, same, Buffer.alloc(0), () => {});
  const signal = await cancelled.begun;
  expect(signal.aborted).toBe(false);
  call.cancel();
  await once(signal, "abort");

  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ":method": "POST", ":path": "/test/Left", "content-type": "application/grpc" });
  stream.end(framed(Buffer.alloc(0)));
  const other = await left.begun;
  session.destroy();
  await once(other, "abort");
});

test("sends the messages of a stream, and then the stream's status", async () => {
  const { port } = await serverOf({
    "/test/Count": {
      async *streaming() {
        for (let count = 0; count < 10_000; count++) yield Buffer.from(String(count));
      },
    },
    "/test/None": { async *streaming() {} },
    "/test/Break": {
      async *streaming() {
        yield Buffer.from("one");
        throw new CallFailure(status.ABORTED as never, "no more");
      },
    },
  });
  const client = clientOf(port);
  const all = async (path: string) => {
    const messages: string[] = [];
    const call = streaming(client, path);
    try {
      for await (const message of call) messages.push(String(message));
    } catch (failure) {
      return { messages, failure };
    }
    return { messages };
  };
  expect((await all("/test/Count")).messages).toEqual(Array.from({ length: 10_000 }, (_, count) => String(count)));
  expect(await all("/test/None")).toEqual({ messages: [] });
  expect(await all("/test/Break")).toMatchObject({
    messages: ["one"],
    failure: { code: status.ABORTED, details: "no more" },
  });
});

test("ends a stream when its caller disconnects, even if the method ignores the abort signal", async () => {
  let asked = 0;
  let end: (asked: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (end = resolve));
  const { port } = await serverOf({
    "/test/Count": {
      async *streaming(_, { signal }) {
        try {
          yield Buffer.from("first");
          await once(signal, "abort");
          while (asked < 1000) yield Buffer.from(String(++asked));
        } finally {
          end(asked);
        }
      },
    },
  });
  const call = streaming(clientOf(port), "/test/Count");
  call.once("error", () => {});
  await once(call, "data");
  call.cancel();
  expect(await ended).toBe(1);
});

test("finishes calls in progress while closing, and accepts no new calls", async () => {
  const { method, begun, answer } = waiting();
  const server = await serverOf({ "/test/Wait": method, "/test/Echo": echo });
  const client = clientOf(server.port);
  const underWay = unary(client, "/test/Wait", Buffer.alloc(0));
  await begun;
  const closed = server.close();
  answer(Buffer.from("done"));
  expect(String((await underWay).message)).toBe("done");
  await closed;
  expect((await unary(clientOf(server.port), "/test/Echo", Buffer.alloc(0))).failure?.code).toBe(status.UNAVAILABLE);
});
