import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, test } from "vitest";
import { type Properties, UNKNOWN } from "../../lifecycle/properties";
import { decodeStructValues, encodeStructValues } from "./values";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

const key = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__" && text !== SIGNATURE);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.constant(UNKNOWN),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.boolean(),
    fc.double({ noNaN: true }),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 3 }),
  ),
}));
type Json = Parameters<typeof Struct.fromJavaScript>[0];
const bytesOf = (values: Properties) => Buffer.from(Struct.fromJavaScript(values as Json).serializeBinary());
const plain = (properties: unknown) =>
  JSON.parse(JSON.stringify(properties, (_, inner) => (inner === UNKNOWN ? "?" : inner)));

test("preserves values, secrets and unknown values on the way to the engine and back", () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 5 }), fc.array(key), (properties, names) => {
      const secrets = new Set([...names, ...Object.keys(properties).slice(0, 1)]);
      const decoded = decodeStructValues(encodeStructValues(properties, secrets));
      expect(plain(decoded.properties)).toEqual(plain(properties));
      expect([...decoded.secrets].sort()).toEqual(
        Object.keys(properties)
          .filter((name) => secrets.has(name))
          .sort(),
      );
    }),
  );
});

test("encodes and decodes values the same way as Google's protobuf library", () => {
  const values = fc.dictionary(key, json, { maxKeys: 5 });
  fc.assert(
    fc.property(values, (properties) => {
      expect(Struct.deserializeBinary(new Uint8Array(encodeStructValues(properties))).toJavaScript()).toEqual(
        properties,
      );
      expect(decodeStructValues(bytesOf(properties)).properties).toEqual(properties);
    }),
  );
});

test.each([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
])("decodes the marker %s as unknown, even in nested values and secrets", (sentinel) => {
  const secret = { [SIGNATURE]: SECRET, value: sentinel };
  const { properties } = decodeStructValues(bytesOf({ top: sentinel, inside: [{ deep: sentinel }], secret }));
  expect(properties).toEqual({ top: UNKNOWN, inside: [{ deep: UNKNOWN }], secret: UNKNOWN });
});

test("decodes an output as its value and whether it is secret, or as unknown if it has no value", () => {
  const { properties, secrets } = decodeStructValues(
    bytesOf({
      known: { [SIGNATURE]: OUTPUT, value: "a", secret: true, dependencies: [] },
      unknown: { [SIGNATURE]: OUTPUT, secret: false },
    }),
  );
  expect(properties).toEqual({ known: "a", unknown: UNKNOWN });
  expect([...secrets]).toEqual(["known"]);
});

test("treats a `__proto__` key like any other key", () => {
  const { properties } = decodeStructValues(encodeStructValues(JSON.parse('{"a": {"__proto__": {"polluted": true}}}')));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(JSON.stringify(properties)).toBe('{"a":{"__proto__":{"polluted":true}}}');
});

test("uses the last value of a duplicate key, even if it is null", () => {
  const [text, null_] = [
    [0x1a, 1, 0x61],
    [0x08, 0],
  ];
  const bytesOfValue = (...content: number[]) =>
    Buffer.from([0x0a, content.length + 5, 0x0a, 1, 0x62, 0x12, content.length, ...content]);
  expect(decodeStructValues(bytesOfValue(...text, ...null_)).properties).toEqual({ b: null });
  expect(decodeStructValues(bytesOfValue(...null_, ...text)).properties).toEqual({ b: "a" });
});

const inFiveBytes = (count: number) => [0, 7, 14, 21].map((bits) => ((count >> bits) & 0x7f) | 0x80).concat(0);

test("throws a RangeError for a value nested 100,000 levels deep", () => {
  let nested: unknown = "deep";
  for (let depth = 0; depth < 100_000; depth++) nested = [nested];
  expect(() => encodeStructValues({ nested })).toThrow(RangeError);
  // Encodes nested lists by hand. Each level is a list inside a value, and every length is encoded in five bytes.
  const levels = Array.from({ length: 100_000 }, (_, level) => {
    const inside = 12 * level;
    return [0x32, ...inFiveBytes(inside + 6), 0x0a, ...inFiveBytes(inside)];
  });
  const value = Buffer.from(levels.reverse().flat());
  const entry = Buffer.concat([Buffer.from([0x12, ...inFiveBytes(value.length)]), value]);
  expect(() => decodeStructValues(Buffer.concat([Buffer.from([0x0a, ...inFiveBytes(entry.length)]), entry]))).toThrow(
    RangeError,
  );
});
