import type { Http2Stream } from "node:http2";
import { CallFailure, status } from "./status";

const PREFIX_BYTES = 5;

/**
 * Frames a message as gRPC sends it: a compression flag (always 0), the length in four bytes, and the message bytes.
 */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

/**
 * Reads the only message of a stream, in chunks of any size.
 *
 * @param largest Maximum size in bytes.
 * @throws CallFailure as soon as the stream cannot be one uncompressed message within the limit.
 */
export function readMessage(stream: Http2Stream, largest: number): Promise<Buffer> {
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
      if (!stream.readableEnded) reject(new CallFailure(status.CANCELLED, "the call was cancelled"));
    });
  });
}

class MessageReader {
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #expected = Number.POSITIVE_INFINITY;

  constructor(private readonly largest: number) {}

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#expected === Number.POSITIVE_INFINITY && this.#received >= PREFIX_BYTES) this.#readPrefix();
    if (this.#received > this.#expected) throw malformed("more than one message");
  }

  #readPrefix(): void {
    const prefix = this.#joined();
    const length = prefix.readUInt32BE(1);
    if (prefix[0] !== 0) throw new CallFailure(status.UNIMPLEMENTED, "compressed messages are not supported");
    if (length > this.largest)
      throw new CallFailure(
        status.RESOURCE_EXHAUSTED,
        `the message has ${length} bytes, and at most ${this.largest} are accepted`,
      );
    this.#expected = PREFIX_BYTES + length;
  }

  message(): Buffer {
    if (this.#received === 0) throw malformed("no message");
    if (this.#received < this.#expected) throw malformed("an incomplete message");
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

const malformed = (what: string) => new CallFailure(status.INTERNAL, `the stream held ${what}`);
