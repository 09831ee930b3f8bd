import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Refusal } from "../../platform/client/refusal";
import { type Properties, UNKNOWN } from "../lifecycle/properties";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine picks one by the type of the value that is not known yet, so all seven must be understood. */
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
  /** Names of the properties that held a secret anywhere. */
  readonly secrets: ReadonlySet<string>;
}

/** Property values as they cross the wire → as the lifecycle sees them. */
export function decode(struct: Struct | undefined): Decoded {
  const secrets = new Set<string>();
  const properties = Object.entries(struct?.toJavaScript() ?? {}).map(([name, value]) => [
    name,
    decodeValue(value, name, secrets),
  ]);
  return { properties: Object.fromEntries(properties), secrets };
}

function decodeValue(value: unknown, name: string, secrets: Set<string>): unknown {
  const decodeInside = (inner: unknown) => decodeValue(inner, name, secrets);
  if (UNKNOWNS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(decodeInside);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  switch (fields[SIGNATURE]) {
    case undefined:
      return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, decodeInside(inner)]));
    case SECRET:
      secrets.add(name);
      return decodeInside(fields.value);
    case OUTPUT:
      if (fields.secret) secrets.add(name);
      return "value" in fields ? decodeInside(fields.value) : UNKNOWN;
    case RESOURCE:
      // A resource written where its id is meant.
      return decodeInside(fields.id ?? UNKNOWN_TEXT);
    default:
      throw new Refusal("invalid", { answer: `property ${name}: assets and archives are not accepted` });
  }
}

/** The way back. `secrets`: names of the properties to mark as secret. */
export function encode(properties: Properties, secrets: Iterable<string> = []): Struct {
  const secret = new Set(secrets);
  const entries = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const plain = encodeValue(value);
      return [name, secret.has(name) ? { [SIGNATURE]: SECRET, value: plain } : plain];
    });
  return Struct.fromJavaScript(Object.fromEntries(entries));
}

type Json = Parameters<typeof Struct.fromJavaScript>[0][string];

function encodeValue(value: unknown): Json {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (Array.isArray(value)) return value.map(encodeValue);
  if (typeof value !== "object" || value === null) return value as Json;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, encodeValue(inner)]));
}
