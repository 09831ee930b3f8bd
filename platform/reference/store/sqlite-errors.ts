const BUSY = 5;
const READONLY = 8;
const FULL = 13;
const CANTOPEN = 14;

/** The file beside the data that readers and writers share could not grow. */
const IOERR_SHMSIZE = 4874;

/** Somebody else is writing to the same file. */
export const isBusy = (thrown: unknown): boolean => kindOf(thrown) === BUSY;

/** The disk has no room for what was to be written, so that nothing of the transaction was. */
export const isFull = (thrown: unknown): boolean => kindOf(thrown) === FULL || codeOf(thrown) === IOERR_SHMSIZE;

/** The file, or the disk that it is on, may only be read. */
export const isReadOnly = (thrown: unknown): boolean => kindOf(thrown) === READONLY;

/** There is no such folder, or what is there is no file, or it may not be read. */
export const isUnopenable = (thrown: unknown): boolean => kindOf(thrown) === CANTOPEN;

export const isOfSqlite = (thrown: unknown): boolean => codeOf(thrown) !== undefined;

const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error && "errcode" in thrown ? Number(thrown.errcode) : undefined;

/** The lower byte is the kind of failure; the upper ones say more about it. */
const kindOf = (thrown: unknown): number => (codeOf(thrown) ?? 0) & 0xff;
