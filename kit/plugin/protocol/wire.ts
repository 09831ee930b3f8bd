/** Wire types, which say how the value after a tag is encoded. https://protobuf.dev/programming-guides/encoding/ */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Returns the tag that precedes a value. The tag combines the field number and the wire type. */
export const tagOf = (field: number, wireType: number): number => field * 8 + wireType;

const INITIAL_BYTES = 1024;
const MOST_BYTES_OF_A_VARINT = 10;
const MOST_BYTES_OF_A_CHARACTER = 3;

export class WireReader {
  constructor(
    private readonly buffer: Buffer,
    private at = 0,
    private readonly end = buffer.length,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  varint(): number {
    let [value, scale] = [0, 1];
    for (let count = 0; count < MOST_BYTES_OF_A_VARINT; count++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new Error("malformed message: a varint has more than ten bytes");
  }

  integer(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new Error("malformed message: a varint has more than ten bytes");
  }

  double(): number {
    return this.buffer.readDoubleLE(this.#pass(8));
  }

  string(): string {
    const length = this.varint();
    const start = this.#pass(length);
    return this.buffer.toString("utf8", start, start + length);
  }

  /** Reads a value of type `bytes`. The result shares memory with the buffer, so it must not be modified. */
  bytes(): Buffer {
    const length = this.varint();
    const start = this.#pass(length);
    return this.buffer.subarray(start, start + length);
  }

  embedded(): WireReader {
    const length = this.varint();
    const start = this.#pass(length);
    return new WireReader(this.buffer, start, start + length);
  }

  skip(tag: number): void {
    const wireType = tag % 8;
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.#pass(8);
    else if (wireType === LENGTH_DELIMITED) this.#pass(this.varint());
    else if (wireType === FIXED32) this.#pass(4);
    else throw new Error(`malformed message: wire type ${wireType}`);
  }

  #byte(): number {
    return this.buffer[this.#pass(1)] as number;
  }

  /**
   * Skips bytes.
   *
   * @returns The position of the first skipped byte.
   */
  #pass(count: number): number {
    const start = this.at;
    this.at += count;
    if (this.at > this.end) throw new Error("malformed message: it ends too early");
    return start;
  }
}

export class WireWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = 0;

  /**
   * Returns all bytes written so far. The result shares memory with the writer's buffer, so it must not be modified.
   */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  varint(value: number): void {
    this.#reserve(MOST_BYTES_OF_A_VARINT);
    while (value >= 0x80) {
      this.#buffer[this.#at++] = (value % 0x80) | 0x80;
      value = Math.floor(value / 0x80);
    }
    this.#buffer[this.#at++] = value;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  string(text: string): void {
    const start = this.#begin();
    this.#reserve(text.length * MOST_BYTES_OF_A_CHARACTER);
    this.#at += this.#buffer.write(text, this.#at, "utf8");
    this.end(start);
  }

  raw(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /**
   * Begins an embedded message. Its length is not known yet, so `end` writes the length.
   *
   * @returns The start position to pass to `end`.
   */
  begin(tag: number): number {
    this.varint(tag);
    return this.#begin();
  }

  #begin(): number {
    this.#reserve(1);
    return ++this.#at;
  }

  /**
   * Writes the length in front of the bytes written since `begin`. If the length needs more than one byte, moves those
   * bytes to make room.
   */
  end(start: number): void {
    const length = this.#at - start;
    if (length < 0x80) {
      this.#buffer[start - 1] = length;
      return;
    }
    const width = Math.ceil((32 - Math.clz32(length)) / 7);
    this.#reserve(width);
    this.#buffer.copyWithin(start - 1 + width, start, this.#at);
    this.#at = start - 1;
    this.varint(length);
    this.#at += length;
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + count));
    this.#buffer.copy(grown, 0, 0, this.#at);
    this.#buffer = grown;
  }
}
