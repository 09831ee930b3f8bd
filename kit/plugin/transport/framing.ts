import type { Http2Stream } from "node:http2";
import {
  CALL_CANCELLED,
  COMPRESSED_MESSAGE,
  INCOMPLETE_MESSAGE,
  largeMessage,
  NO_MESSAGE,
  SEVERAL_MESSAGES,
} from "./messages";
import { CallFailure, status } from "./status";

const PREFIX_BYTES = 5;

/**
 * Adds the prefix that gRPC requires in front of a message: a compression flag (always 0) and the length in four bytes.
 */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

/**
 * Reads the only message of a stream, which may arrive in chunks of any size.
 *
 * @param largest Maximum size of the message in bytes.
 * @throws CallFailure if the stream does not hold a single uncompressed message of at most `largest` bytes.
 */
export function readFramedMessage(stream: Http2Stream, largest: number): Promise<Buffer> {
  const reader = new MessageReader(largest);
  return new Promise((resolve, reject) => {
    const orReject = (step: () => void) => {
      try {
        step();
      } catch (failure) {
        stream.removeAllListeners("data").resume();
        reject(failure);
      }
    };
    stream.on("data", (chunk: Buffer) => orReject(() => reader.add(chunk)));
    stream.once("end", () => orReject(() => resolve(reader.message())));
    stream.once("close", () => {
      if (!stream.readableEnded) reject(new CallFailure(status.CANCELLED, CALL_CANCELLED));
    });
  });
}

class MessageReader {
  /** The parts of a message of at most `largest` bytes. */
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #expected = Number.POSITIVE_INFINITY;

  constructor(private readonly largest: number) {}

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#expected === Number.POSITIVE_INFINITY && this.#received >= PREFIX_BYTES) this.#readPrefix();
    if (this.#received > this.#expected) throw malformedFraming(SEVERAL_MESSAGES);
  }

  #readPrefix(): void {
    const prefix = this.#joined();
    const length = prefix.readUInt32BE(1);
    if (prefix[0] !== 0) throw new CallFailure(status.UNIMPLEMENTED, COMPRESSED_MESSAGE);
    if (length > this.largest)
      throw new CallFailure(status.RESOURCE_EXHAUSTED, largeMessage({ bytes: length, mostBytes: this.largest }));
    this.#expected = PREFIX_BYTES + length;
  }

  message(): Buffer {
    if (this.#received === 0) throw malformedFraming(NO_MESSAGE);
    if (this.#received < this.#expected) throw malformedFraming(INCOMPLETE_MESSAGE);
    return this.#joined().subarray(PREFIX_BYTES);
  }

  #joined(): Buffer {
    const [first, ...others] = this.#chunks;
    if (first && others.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks.splice(0, this.#chunks.length, joined);
    return joined;
  }
}

const malformedFraming = (problem: string) => new CallFailure(status.INTERNAL, problem);
