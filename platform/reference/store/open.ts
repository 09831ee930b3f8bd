import { closeSync, openSync } from "node:fs";
import { isSqliteFailure, StoreFailure, storeStartReason, WrongData } from "./failure";
import { cannotOpen, NO_PLACE } from "./messages";
import { openSqliteStore } from "./sqlite";
import type { Store } from "./store";

/** The value of `--data` for data that is kept only in memory. */
export const MEMORY = ":memory:";

/**
 * Opens the store, and creates it if it does not exist.
 *
 * @param data `:memory:`, the path of a file, or `postgres://…`.
 * @param options With `mustHold`, throws if there is no data yet.
 */
export async function openStore(data: string, options: { readonly mustHold?: true } = {}): Promise<Store> {
  if (data === "") throw new Error(NO_PLACE);
  if (!isPostgres(data)) {
    if (data !== MEMORY) createFile(data);
    return openSqliteStore(data, options);
  }
  // Loads the driver only when it is needed, because loading takes time and most servers use SQLite.
  const { openPostgresStore } = await import("./postgres.js");
  return openPostgresStore(data, options);
}

/** Creates the file for this user alone if there is none, because it contains the keys that sign tokens. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch {
    // SQLite says why it cannot open the file.
  }
}

export const isPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);

/**
 * Converts a store failure during startup into an error for the user, because there is no request to respond to yet.
 */
export async function storeOpeningError(data: string, thrown: unknown): Promise<unknown> {
  const cause = thrown instanceof StoreFailure ? thrown.cause : thrown;
  if (cause === thrown && !isSqliteFailure(thrown) && !(thrown instanceof WrongData)) return thrown;
  const place = isPostgres(data) ? (await import("./postgres.js")).shownPostgresAddress(data) : data;
  return new Error(cannotOpen({ place: place ?? "", reason: storeStartReason(cause) }), { cause });
}
