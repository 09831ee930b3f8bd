import { CANNOT_OPEN, DISK_FULL, INVALID_CURSOR, NOT_DONE, READ_ONLY } from "./messages";

/** Thrown when the store could not process a request. Nothing was changed. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";

  /** @param reason Why the store failed; `full` means that the disk has no room for the data. */
  constructor(
    readonly reason: keyof typeof NOT_DONE,
    override readonly cause: unknown,
  ) {
    super(NOT_DONE[reason], { cause });
  }
}

/** Thrown if a value is wrong that is to be stored, or that another program has put into the store. */
export class WrongData extends Error {
  override readonly name = "WrongData";
}

export class InvalidCursor extends Error {
  override readonly name = "InvalidCursor";

  constructor() {
    super(INVALID_CURSOR);
  }
}

export function storeFailureReason(thrown: unknown): string {
  if (thrown instanceof StoreFailure) return storeFailureReason(thrown.cause);
  // Joins the reasons, because connecting to a host with several addresses fails with one error for each address.
  if (thrown instanceof AggregateError) return thrown.errors.map(storeFailureReason).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Explains why the server cannot open the data at startup, with advice for known errors. */
export function storeStartReason(thrown: unknown): string {
  const cause = thrown instanceof StoreFailure ? thrown.cause : thrown;
  if (isStoreFullFailure(cause)) return DISK_FULL;
  if (isStoreReadOnlyFailure(cause)) return READ_ONLY;
  return isStoreUnopenableFailure(cause) ? CANNOT_OPEN : storeFailureReason(cause);
}

const BUSY = 5;
const READONLY = 8;
const FULL = 13;
const CANTOPEN = 14;

/** SQLite reports this code if the disk is too full to extend the shared-memory file beside the data. */
const IOERR_SHMSIZE = 4874;

/** Returns whether the error means that another connection is writing to the same file. */
export const isStoreBusyFailure = (thrown: unknown): boolean => sqliteFailureKind(thrown) === BUSY;

/** Returns whether the error means that the disk is full. If so, the transaction has written nothing. */
export const isStoreFullFailure = (thrown: unknown): boolean =>
  sqliteFailureKind(thrown) === FULL || sqliteFailureCode(thrown) === IOERR_SHMSIZE;

/** Returns whether the error means that the file or its disk is read-only. */
const isStoreReadOnlyFailure = (thrown: unknown): boolean => sqliteFailureKind(thrown) === READONLY;

/**
 * Returns whether the error means that the file cannot be opened: its folder does not exist, or the path is not a
 * readable file.
 */
const isStoreUnopenableFailure = (thrown: unknown): boolean => sqliteFailureKind(thrown) === CANTOPEN;

export const isSqliteFailure = (thrown: unknown): boolean => sqliteFailureCode(thrown) !== undefined;

const sqliteFailureCode = (thrown: unknown): number | undefined =>
  thrown instanceof Error && "errcode" in thrown ? Number(thrown.errcode) : undefined;

/** Returns the primary result code, which is the lower byte. The upper bytes hold details. */
const sqliteFailureKind = (thrown: unknown): number => (sqliteFailureCode(thrown) ?? 0) & 0xff;
