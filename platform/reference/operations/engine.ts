/**
 * The sixth byte in the UUID of a database on `tursodb`. The official CLI recognizes the engine by this byte
 * (wire-facts 11.2).
 */
const SIXTH_BYTE = "10";
const AT = "00000000-00".length;

/** Returns the UUID with its sixth byte changed to match the engine, `libsql` or `tursodb` (wire-facts 3.1). */
export function uuidOn(engine: string, uuid: string): string {
  const byte = uuid.slice(AT, AT + SIXTH_BYTE.length);
  if (engine === "tursodb") return uuid.slice(0, AT) + SIXTH_BYTE + uuid.slice(AT + SIXTH_BYTE.length);
  return byte === SIXTH_BYTE ? `${uuid.slice(0, AT)}00${uuid.slice(AT + SIXTH_BYTE.length)}` : uuid;
}
