import { type Properties, SECRET, SIGNATURE, UNKNOWN, UNKNOWN_TEXT } from "../../lifecycle/properties";
import { Refusal } from "../../refusal";
import { unsupportedAsset } from "../messages";
import { FIXED64, LENGTH_DELIMITED, tagOf, VARINT, WireReader, WireWriter } from "./wire";

const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** The engine's markers for unknown values. Each type of value has its own marker, so all seven must be recognized. */
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // bool
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  UNKNOWN_TEXT,
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

export interface Decoded {
  readonly properties: Properties;
  /** Names of the properties that contain a secret, at any depth. */
  readonly secrets: ReadonlySet<string>;
}

/** The tags in a `google.protobuf.Struct`: one for the map, two for its entries, and one for each type of value. */
const STRUCT_ENTRY = tagOf(1, LENGTH_DELIMITED);
const ENTRY_KEY = tagOf(1, LENGTH_DELIMITED);
const ENTRY_VALUE = tagOf(2, LENGTH_DELIMITED);
const NULL = tagOf(1, VARINT);
const NUMBER = tagOf(2, FIXED64);
const TEXT = tagOf(3, LENGTH_DELIMITED);
const FLAG = tagOf(4, VARINT);
const STRUCT = tagOf(5, LENGTH_DELIMITED);
const LIST = tagOf(6, LENGTH_DELIMITED);
const LIST_ITEM = tagOf(1, LENGTH_DELIMITED);

/** Converts a serialized Struct to property values, and collects the names of the secret properties. */
export function decodeStructValues(struct: Buffer | undefined): Decoded {
  const secrets = new Set<string>();
  if (!struct) return { properties: {}, secrets };
  const properties = readStruct(new WireReader(struct), (property) => ({ property, secrets }));
  return { properties, secrets };
}

/** The property that is being read, and the set in which the names of secret properties are collected. */
interface Place {
  readonly property: string;
  readonly secrets: Set<string>;
}

/**
 * Reads a Struct.
 *
 * @param placeOf Returns the property that contains the value of the given key.
 */
function readStruct(source: WireReader, placeOf: (key: string) => Place): Record<string, unknown> {
  const struct: Record<string, unknown> = {};
  while (!source.isAtEnd) {
    const tag = source.varint();
    if (tag === STRUCT_ENTRY) readEntry(source.embedded(), struct, placeOf);
    else source.skip(tag);
  }
  return struct;
}

function readEntry(source: WireReader, struct: Record<string, unknown>, placeOf: (key: string) => Place): void {
  let key = "";
  let value: WireReader | undefined;
  while (!source.isAtEnd) {
    const tag = source.varint();
    if (tag === ENTRY_KEY) key = source.string();
    else if (tag === ENTRY_VALUE) value = source.embedded();
    else source.skip(tag);
  }
  const read = value ? readValue(value, placeOf(key)) : null;
  if (key !== "__proto__") struct[key] = read;
  else Object.defineProperty(struct, key, { value: read, enumerable: true, configurable: true, writable: true });
}

function readValue(source: WireReader, place: Place): unknown {
  let value: unknown = null;
  while (!source.isAtEnd) {
    const tag = source.varint();
    if (tag === TEXT) value = structTextValue(source.string());
    else if (tag === NUMBER) value = source.double();
    else if (tag === FLAG) value = source.varint() !== 0;
    else if (tag === STRUCT)
      value = unwrapStruct(
        readStruct(source.embedded(), () => place),
        place,
      );
    else if (tag === LIST) value = readList(source.embedded(), place);
    else {
      source.skip(tag);
      if (tag === NULL) value = null;
    }
  }
  return value;
}

function readList(source: WireReader, place: Place): unknown[] {
  const items: unknown[] = [];
  while (!source.isAtEnd) {
    const tag = source.varint();
    if (tag === LIST_ITEM) items.push(readValue(source.embedded(), place));
    else source.skip(tag);
  }
  return items;
}

const structTextValue = (text: string): unknown => (UNKNOWNS.has(text) ? UNKNOWN : text);

/**
 * Unwraps a struct that the engine has marked as a secret, an output or a resource. If the value is secret, adds the
 * property to `secrets`.
 */
function unwrapStruct(struct: Record<string, unknown>, { property, secrets }: Place): unknown {
  switch (struct[SIGNATURE]) {
    case undefined:
      return struct;
    case SECRET:
      secrets.add(property);
      return struct.value;
    case OUTPUT:
      if (struct.secret) secrets.add(property);
      return "value" in struct ? struct.value : UNKNOWN;
    case RESOURCE:
      // If the program passed a resource instead of an id, the resource's id is used.
      return struct.id ?? UNKNOWN;
    default:
      throw new Refusal("invalid", { answer: unsupportedAsset({ property }) });
  }
}

/**
 * Converts property values to a serialized Struct.
 *
 * @param secrets Names of the properties to mark as secret.
 */
export function encodeStructValues(properties: Properties, secrets: Iterable<string> = []): Buffer {
  const target = new WireWriter();
  writeStruct(target, properties, new Set(secrets));
  return target.bytes;
}

const NONE: ReadonlySet<string> = new Set();

function writeStruct(target: WireWriter, properties: object, secrets: ReadonlySet<string>): void {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    const entry = target.begin(STRUCT_ENTRY);
    target.varint(ENTRY_KEY);
    target.string(key);
    const start = target.begin(ENTRY_VALUE);
    writeValue(target, secrets.has(key) ? { [SIGNATURE]: SECRET, value } : value);
    target.end(start);
    target.end(entry);
  }
}

function writeValue(target: WireWriter, value: unknown): void {
  if (typeof value === "string" || value === UNKNOWN) {
    target.varint(TEXT);
    target.string(value === UNKNOWN ? UNKNOWN_TEXT : value);
  } else if (typeof value === "number") {
    target.varint(NUMBER);
    target.double(value);
  } else if (typeof value === "boolean") {
    target.varint(FLAG);
    target.varint(Number(value));
  } else if (value === null || value === undefined) {
    target.varint(NULL);
    target.varint(0);
  } else if (Array.isArray(value)) {
    const list = target.begin(LIST);
    for (const item of value) {
      const start = target.begin(LIST_ITEM);
      writeValue(target, item);
      target.end(start);
    }
    target.end(list);
  } else if (typeof value === "object") {
    const struct = target.begin(STRUCT);
    writeStruct(target, value, NONE);
    target.end(struct);
  } else throw new TypeError(`a ${typeof value} cannot be sent`);
}
