const BUSY = 5;
const READONLY = 8;
const FULL = 13;
const CANTOPEN = 14;

/** SQLite reports this code if the disk is too full to extend the shared-memory file beside the data. */
const IOERR_SHMSIZE = 4874;

/** Returns whether the error means that another connection is writing to the same file. */
export const isBusy = (thrown: unknown): boolean => kindOf(thrown) === BUSY;

/** Returns whether the error means that the disk is full. If so, the transaction has written nothing. */
export const isFull = (thrown: unknown): boolean => kindOf(thrown) === FULL || codeOf(thrown) === IOERR_SHMSIZE;

/** Returns whether the error means that the file or its disk is read-only. */
export const isReadOnly = (thrown: unknown): boolean => kindOf(thrown) === READONLY;

/**
 * Returns whether the error means that the file cannot be opened: its folder does not exist, or the path is not a
 * readable file.
 */
export const isUnopenable = (thrown: unknown): boolean => kindOf(thrown) === CANTOPEN;

export const isOfSqlite = (thrown: unknown): boolean => codeOf(thrown) !== undefined;

const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error && "errcode" in thrown ? Number(thrown.errcode) : undefined;

/** Returns the primary result code, which is the lower byte. The upper bytes hold details. */
const kindOf = (thrown: unknown): number => (codeOf(thrown) ?? 0) & 0xff;
