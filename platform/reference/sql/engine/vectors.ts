import type { DatabaseSync } from "node:sqlite";
import { SqlFailure } from "./failure";
import {
  float32BlobIncomplete,
  float32BlobUneven,
  float64BlobUneven,
  floatInvalid,
  floatTooLong,
  sqliteError,
  VECTOR_CLOSE_MISSING,
  VECTOR_OPEN_MISSING,
  VECTOR_TAIL,
  vectorLengthsDiffer,
  vectorTextTooLong,
  vectorTooLong,
  vectorTypeElsewhere,
  vectorTypesDiffer,
  vectorTypeUnknown,
  vectorValueWrong,
} from "./messages";

/** The types of vectors. The last byte of a blob of odd length is its type. All other blobs are float32. */
const FLOAT32 = 1;
const FLOAT64 = 2;

/** The types of vectors that only libSQL supports. */
const ELSEWHERE = new Map([
  [3, "float1bit"],
  [4, "float8"],
  [5, "float16"],
  [6, "floatb16"],
]);

const MOST_DIMENSIONS = 65_536;

/** The maximum length of a number in a text, in bytes. */
const LONGEST_NUMBER = 1_025;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whitespace, which may also be within a number. */
const SPACE = /[\t-\r ]+/g;
const NO_SPACE = /[^\t-\r ]/;

type SqlValue = null | bigint | number | string | Uint8Array<ArrayBuffer>;

type Elements = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** The type and length of a vector, which libSQL compares before it reads the elements. */
interface Outline {
  readonly type: typeof FLOAT32 | typeof FLOAT64;
  /** For a text, an estimate from its commas and digits. */
  readonly dimensions: number;
  readonly read: () => Elements;
}

/** Functions of libSQL, with the same results and errors. */
const FUNCTIONS: Readonly<Record<string, (first: SqlValue, second: SqlValue) => number | string | Uint8Array>> = {
  vector: toFloat32,
  vector32: toFloat32,
  vector64: toFloat64,
  vector_extract: toText,
  vector_distance_cos: cosineDistance,
  vector_distance_l2: euclideanDistance,
};

/**
 * Adds libSQL's vector functions to a connection. Adding them only when a statement needs them would save 5 to 7 µs,
 * and fail where SQLite reads the schema while a statement runs.
 */
export function addVectorFunctions(database: DatabaseSync): void {
  for (const [name, work] of Object.entries(FUNCTIONS))
    database.function(name, { deterministic: true, useBigIntArguments: true }, work as never);
}

function toFloat32(value: SqlValue): Uint8Array {
  const elements = outlineOf(value).read();
  return bytesOf(elements instanceof Float32Array ? elements : Float32Array.from(elements));
}

function toFloat64(value: SqlValue): Uint8Array {
  const elements = outlineOf(value, FLOAT64).read();
  const bytes = bytesOf(elements instanceof Float64Array ? elements : Float64Array.from(elements));
  const blob = new Uint8Array(bytes.length + 1);
  blob.set(bytes);
  blob[bytes.length] = FLOAT64;
  return blob;
}

function toText(value: SqlValue): string {
  return `[${Array.from(outlineOf(value).read(), sixDigits).join()}]`;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Elements): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Returns a number with at most six significant digits, as `%g` of C does. */
function sixDigits(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  const [digits = "", exponent = ""] = value.toExponential(5).split("e");
  const power = Number(exponent);
  // Without trailing zeros, and without the sign of -0.
  if (power >= -4 && power <= 5) return String(Number(value.toPrecision(6)));
  return `${Number(digits)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Both distances have the precision of float32, also those of float64 vectors. */
function cosineDistance(first: SqlValue, second: SqlValue): number {
  const [a, b] = elementsOfPair(first, second);
  return Math.fround(a instanceof Float32Array ? cosineDistance32(a, b) : cosineDistance64(a, b));
}

/** Rounds each operation to float32. A rounding function as a parameter would make this four times as slow. */
function cosineDistance32(a: Elements, b: Elements): number {
  let dot = 0;
  let ofA = 0;
  let ofB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] as number;
    const y = b[at] as number;
    dot = Math.fround(dot + Math.fround(x * y));
    ofA = Math.fround(ofA + Math.fround(x * x));
    ofB = Math.fround(ofB + Math.fround(y * y));
  }
  return 1 - dot / Math.sqrt(Math.fround(ofA * ofB));
}

function cosineDistance64(a: Elements, b: Elements): number {
  let dot = 0;
  let ofA = 0;
  let ofB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] as number;
    const y = b[at] as number;
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return 1 - dot / Math.sqrt(ofA * ofB);
}

function euclideanDistance(first: SqlValue, second: SqlValue): number {
  const [a, b] = elementsOfPair(first, second);
  return Math.fround(Math.sqrt(a instanceof Float32Array ? squaredDistance32(a, b) : squaredDistance64(a, b)));
}

function squaredDistance32(a: Elements, b: Elements): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) {
    const difference = Math.fround((a[at] as number) - (b[at] as number));
    sum = Math.fround(sum + Math.fround(difference * difference));
  }
  return sum;
}

function squaredDistance64(a: Elements, b: Elements): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) {
    const difference = (a[at] as number) - (b[at] as number);
    sum += difference * difference;
  }
  return sum;
}

function elementsOfPair(first: SqlValue, second: SqlValue): [Elements, Elements] {
  const [a, b] = [outlineToCompare(first), outlineToCompare(second)];
  if (a.type !== b.type) throw vectorFailure(vectorTypesDiffer({ vectorType: a.type, otherVectorType: b.type }));
  if (a.dimensions !== b.dimensions)
    throw vectorFailure(vectorLengthsDiffer({ dimensions: a.dimensions, otherDimensions: b.dimensions }));
  return [a.read(), b.read()];
}

/** The text that was compared latest. A search compares the same text with the vector of each row. */
let latest: { readonly text: string; readonly outline: Outline } | undefined;

function outlineToCompare(value: SqlValue): Outline {
  if (typeof value !== "string") return outlineOf(value);
  if (latest?.text === value) return latest.outline;
  const outline = outlineOf(value);
  let elements: Elements | undefined;
  const read = () => {
    elements ??= outline.read();
    return elements;
  };
  latest = { text: value, outline: { ...outline, read } };
  return latest.outline;
}

/** @param ofText The type of a vector that is a text. */
function outlineOf(value: SqlValue, ofText: Outline["type"] = FLOAT32): Outline {
  if (value instanceof Uint8Array) return outlineOfBlob(value);
  if (typeof value === "string") return outlineOfText(value, ofText);
  const valueType = value === null ? "NULL" : typeof value === "bigint" ? "INTEGER" : "FLOAT";
  throw vectorFailure(vectorValueWrong({ valueType }));
}

function outlineOfBlob(blob: Uint8Array<ArrayBuffer>): Outline {
  const hasType = blob.length % 2 === 1;
  const vectorBytes = hasType ? blob.length - 1 : blob.length;
  const type = hasType ? (blob[vectorBytes] ?? 0) : FLOAT32;
  if (type !== FLOAT32 && type !== FLOAT64) {
    const vectorName = ELSEWHERE.get(type);
    throw vectorFailure(
      vectorName === undefined ? vectorTypeUnknown({ vectorType: type }) : vectorTypeElsewhere({ vectorName }),
    );
  }
  const [Kind, unevenBlob] = type === FLOAT32 ? [Float32Array, float32BlobUneven] : [Float64Array, float64BlobUneven];
  const size = Kind.BYTES_PER_ELEMENT;
  if (hasType && vectorBytes % size !== 0) throw vectorFailure(unevenBlob({ vectorBytes }));
  const dimensions = Math.floor(vectorBytes / size);
  if (dimensions > MOST_DIMENSIONS) throw vectorFailure(vectorTooLong({ dimensions, largest: MOST_DIMENSIONS }));
  const read = () => {
    if (vectorBytes % size !== 0) throw vectorFailure(float32BlobIncomplete({ dimensions, vectorBytes }));
    const { buffer, byteOffset } = blob.byteOffset % size === 0 ? blob : blob.slice();
    return new Kind(buffer, byteOffset, dimensions);
  };
  return { type, dimensions, read };
}

function outlineOfText(text: string, type: Outline["type"]): Outline {
  const read = () => {
    const elements = elementsOfText(text);
    return type === FLOAT32 ? Float32Array.from(elements) : Float64Array.from(elements);
  };
  return { type, read, dimensions: seemingDimensions(text) };
}

function seemingDimensions(text: string): number {
  let count = /\d/.test(text) ? 1 : 0;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) count += 1;
  return count;
}

/** Reads a text such as `[1, 2.5, -3e4]`. libSQL reads no further than a NUL. */
function elementsOfText(whole: string): number[] {
  const [text = ""] = whole.split("\0", 1);
  const open = text.search(NO_SPACE);
  if (text[open] !== "[") throw vectorFailure(VECTOR_OPEN_MISSING);
  const close = text.indexOf("]");
  const elements: number[] = [];
  for (let at = open + 1, isLast = false; !isLast; ) {
    const comma = text.indexOf(",", at);
    isLast = comma === -1 || (close !== -1 && comma > close);
    const end = isLast ? close : comma;
    const number = text.slice(at, end === -1 ? undefined : end).replace(SPACE, "");
    at = end + 1;
    if (Buffer.byteLength(number) > LONGEST_NUMBER)
      throw vectorFailure(floatTooLong({ text: number.slice(0, LONGEST_NUMBER) }));
    if (end === -1) throw vectorFailure(VECTOR_CLOSE_MISSING);
    if (isLast && number === "" && elements.length === 0) break;
    if (!NUMBER.test(number)) throw vectorFailure(floatInvalid({ position: elements.length, text: number }));
    if (elements.length === MOST_DIMENSIONS) throw vectorFailure(vectorTextTooLong({ largest: MOST_DIMENSIONS }));
    elements.push(Number(number));
  }
  if (NO_SPACE.test(text.slice(close + 1))) throw vectorFailure(VECTOR_TAIL);
  return elements;
}

const vectorFailure = (reason: string): SqlFailure => new SqlFailure(sqliteError({ reason }), "SQLITE_UNKNOWN");
