/** Of the UUIDs of databases on `tursodb`: the command line tells the engine by it (wire-facts 11.2). */
const SIXTH_BYTE = "10";
const AT = "00000000-00".length;

/** The UUID, changed so that it tells the engine, `libsql` or `tursodb` (wire-facts 3.1). */
export function uuidOn(engine: string, uuid: string): string {
  const byte = uuid.slice(AT, AT + SIXTH_BYTE.length);
  if (engine === "tursodb") return uuid.slice(0, AT) + SIXTH_BYTE + uuid.slice(AT + SIXTH_BYTE.length);
  return byte === SIXTH_BYTE ? `${uuid.slice(0, AT)}00${uuid.slice(AT + SIXTH_BYTE.length)}` : uuid;
}
