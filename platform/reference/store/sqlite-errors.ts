const BUSY = 5;
const READONLY = 8;
const FULL = 13;
const CANTOPEN = 14;

/** The error when the shared-memory file beside the data cannot grow because the disk is full. */
const IOERR_SHMSIZE = 4874;

/** Whether the failure is that another connection is writing to the same file. */
export const isBusy = (thrown: unknown): boolean => kindOf(thrown) === BUSY;

/** Whether the disk has no room for the data. Nothing of the transaction was written. */
export const isFull = (thrown: unknown): boolean => kindOf(thrown) === FULL || codeOf(thrown) === IOERR_SHMSIZE;

/** Whether the file or its disk is read-only. */
export const isReadOnly = (thrown: unknown): boolean => kindOf(thrown) === READONLY;

/** Whether the folder does not exist or the path is not a readable file. */
export const isUnopenable = (thrown: unknown): boolean => kindOf(thrown) === CANTOPEN;

export const isOfSqlite = (thrown: unknown): boolean => codeOf(thrown) !== undefined;

const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error && "errcode" in thrown ? Number(thrown.errcode) : undefined;

/** Returns the primary result code, which is the lower byte. The upper bytes hold details. */
const kindOf = (thrown: unknown): number => (codeOf(thrown) ?? 0) & 0xff;
