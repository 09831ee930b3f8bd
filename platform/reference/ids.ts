import { createHash, randomBytes, randomUUID } from "node:crypto";
import { nextNumber } from "./store/counters";
import type { State } from "./store/schema";

/** Generates ids, keys and the secret parts of tokens. */
export interface Ids {
  /** Returns a new version 4 UUID in lower case. */
  uuid(state: State): Promise<string>;
  /** Returns 22 random characters for an id or for the secret part of a token (wire-facts 5.1). */
  text(state: State): Promise<string>;
  bytes(state: State): Promise<Buffer>;
}

const idsFrom = (bytes: Ids["bytes"]): Ids => ({
  bytes,
  uuid: async (state) => uuidFromBytes(await bytes(state)),
  text: async (state) => (await bytes(state)).subarray(0, 16).toString("base64url"),
});

export const randomIds: Ids = { ...idsFrom(async () => randomBytes(32)), uuid: async () => randomUUID() };

export const SERIAL = "serial";

/**
 * Generates the same ids in the same order on every new store, for examples and recorded tests. Never use them as
 * secrets, because they are predictable.
 */
export const repeatableIds: Ids = idsFrom(async (state) => {
  const serial = await nextNumber(state, SERIAL);
  return createHash("sha256").update(`dbplatform ${serial}`).digest();
});

function uuidFromBytes(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The sixth byte in the UUID of a database on `tursodb`. The official CLI recognizes the engine by this byte
 * (wire-facts 11.2).
 */
const SIXTH_BYTE = "10";
const AT = "00000000-00".length;

/** Returns the UUID with its sixth byte changed to match the engine, `libsql` or `tursodb` (wire-facts 3.1). */
export function databaseUuidOn(engine: string, uuid: string): string {
  const byte = uuid.slice(AT, AT + SIXTH_BYTE.length);
  if (engine === "tursodb") return uuid.slice(0, AT) + SIXTH_BYTE + uuid.slice(AT + SIXTH_BYTE.length);
  return byte === SIXTH_BYTE ? `${uuid.slice(0, AT)}00${uuid.slice(AT + SIXTH_BYTE.length)}` : uuid;
}
