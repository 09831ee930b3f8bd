import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import { connect as connectSocket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { framed } from "../../../kit/plugin/transport/framing";
import {
  COMPRESSED_MESSAGE,
  INCOMPLETE_MESSAGE,
  NO_MESSAGE,
  SEVERAL_MESSAGES,
} from "../../../kit/plugin/transport/messages";
import type { CallContext } from "../../../kit/plugin/transport/server";
import { status } from "../../../kit/plugin/transport/status";
import { clientOf, serverOf, unary } from "./generic-client";

const METHODS = {
  "/test/Echo": { unary: async (request: Buffer) => request },
  "/test/Large": { unary: async () => Buffer.alloc(50 * 1024 * 1024) },
  "/test/Wait": {
    unary: (_: Buffer, { signal }: CallContext) =>
      new Promise<Buffer>((resolve) => signal.addEventListener("abort", () => resolve(Buffer.alloc(0)))),
  },
};

async function hostile() {
  const { port } = await serverOf(METHODS);
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return { port, session };
}

/** Asserts that the server still serves other clients. */
async function othersAreServed(port: number): Promise<void> {
  expect(String((await unary(clientOf(port), "/test/Echo", Buffer.from("hello"))).message)).toBe("hello");
}

const open = (session: ClientHttp2Session, path = "/test/Echo", headers: OutgoingHttpHeaders = {}) => {
  const base = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  const stream = session.request({ ...base, ...headers });
  stream.on("error", () => {});
  return stream;
};

async function answerTo(stream: ClientHttp2Stream): Promise<Record<string, unknown>> {
  const received = {};
  for (const event of ["response", "trailers"]) stream.on(event, (headers) => Object.assign(received, headers));
  stream.resume();
  await once(stream, "close");
  return received;
}

const prefixed = (length: number, compressed = 0) => {
  const prefix = Buffer.alloc(5);
  prefix[0] = compressed;
  prefix.writeUInt32BE(length, 1);
  return prefix;
};

test.each<[string, Buffer, number, string]>([
  ["no message", Buffer.alloc(0), status.INTERNAL, NO_MESSAGE],
  ["half a prefix", Buffer.alloc(3), status.INTERNAL, INCOMPLETE_MESSAGE],
  [
    "less than the prefix announces",
    Buffer.concat([prefixed(10), Buffer.alloc(5)]),
    status.INTERNAL,
    INCOMPLETE_MESSAGE,
  ],
  [
    "more than one message",
    Buffer.concat([framed(Buffer.alloc(2)), framed(Buffer.alloc(2))]),
    status.INTERNAL,
    SEVERAL_MESSAGES,
  ],
  ["a compressed message", Buffer.concat([prefixed(1, 1), Buffer.alloc(1)]), status.UNIMPLEMENTED, COMPRESSED_MESSAGE],
])("fails only the call that sends %s, and explains the error in the status", async (_, body, code, text) => {
  const { port, session } = await hostile();
  const stream = open(session);
  stream.end(body);
  const answer = await answerTo(stream);
  expect(answer["grpc-status"]).toBe(String(code));
  expect(answer["grpc-message"]).toContain(text);
  await othersAreServed(port);
});

test("rejects a message longer than 400 MB as soon as its length is received", async () => {
  const { port, session } = await hostile();
  const stream = open(session);
  stream.write(prefixed(400 * 1024 * 1024 + 1));
  expect(await answerTo(stream)).toMatchObject({ "grpc-status": String(status.RESOURCE_EXHAUSTED) });
  await othersAreServed(port);
});

test("assembles a message that arrives one byte at a time", async () => {
  const { session } = await hostile();
  const stream = open(session);
  for (const byte of framed(Buffer.from("slow"))) {
    stream.write(Buffer.from([byte]));
    await new Promise((resolve) => session.ping(resolve));
  }
  stream.end();
  const chunks: Buffer[] = [];
  stream.on("data", (chunk) => chunks.push(chunk));
  await once(stream, "end");
  expect(Buffer.concat(chunks)).toEqual(framed(Buffer.from("slow")));
});

test.each<[string, OutgoingHttpHeaders, Record<string, unknown>]>([
  ["the wrong content type", { "content-type": "application/json" }, { ":status": 415 }],
  ["the wrong method", { ":method": "PUT" }, { ":status": 405 }],
  ["a malformed timeout", { "grpc-timeout": "soon" }, { ":status": 200, "grpc-status": String(status.INTERNAL) }],
])("rejects a request with %s", async (_, headers, expected) => {
  const { port, session } = await hostile();
  const stream = open(session, "/test/Echo", headers);
  stream.end(framed(Buffer.alloc(0)));
  expect(await answerTo(stream)).toMatchObject(expected);
  await othersAreServed(port);
});

test("ends a call at its deadline, even if the method ignores the abort signal", async () => {
  const { session } = await hostile();
  const stream = open(session, "/test/Wait", { "grpc-timeout": "20m" });
  stream.end(framed(Buffer.alloc(0)));
  expect(await answerTo(stream)).toMatchObject({ "grpc-status": String(status.DEADLINE_EXCEEDED) });
});

test("closes only the affected connection when a client does not send HTTP/2", async () => {
  const { port } = await hostile();
  for (const bytes of [
    "GET / HTTP/1.1\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff",
  ]) {
    const socket = connectSocket(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.resume().write(bytes, "latin1");
    await once(socket, "close");
  }
  await othersAreServed(port);
});

test("answers ten thousand concurrent calls while other calls hang or have unread responses", {
  tags: "more",
}, async () => {
  const { port, session } = await hostile();
  session.setMaxListeners(0);
  for (let count = 0; count < 10; count++) {
    open(session).write(prefixed(100));
    open(session, "/test/Large").end(framed(Buffer.alloc(0)));
  }
  const other = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => other.destroy());
  const answers = Array.from({ length: 10_000 }, () => {
    const stream = open(other);
    stream.end(framed(Buffer.from("hello")));
    return answerTo(stream);
  });
  for (const answer of await Promise.all(answers)) expect(answer["grpc-status"]).toBe(String(status.OK));
  await othersAreServed(port);
});

test("keeps serving other calls when calls are opened and cancelled immediately", async () => {
  const { port, session } = await hostile();
  for (let count = 0; count < 5000 && !session.destroyed; count++) {
    const stream = open(session, "/test/Wait");
    stream.end(framed(Buffer.alloc(0)));
    stream.close(8);
  }
  await othersAreServed(port);
});

test("keeps serving a client that leaves a response unread", async () => {
  const { session } = await hostile();
  const unread = open(session, "/test/Large");
  unread.end(framed(Buffer.alloc(0)));
  await once(unread, "response");
  const next = open(session);
  next.end(framed(Buffer.from("hello")));
  expect(await answerTo(next)).toMatchObject({ "grpc-status": String(status.OK) });
});
