const BUSY = 5;
const FULL = 13;

/** The file beside the data that readers and writers share could not grow. */
const IOERR_SHMSIZE = 4874;

/** Somebody else is writing to the same file. */
export const isBusy = (thrown: unknown): boolean => kindOf(thrown) === BUSY;

/** The disk has no room for what was to be written, so that nothing of the transaction was. */
export const isFull = (thrown: unknown): boolean => kindOf(thrown) === FULL || codeOf(thrown) === IOERR_SHMSIZE;

const codeOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error && "errcode" in thrown ? Number(thrown.errcode) : undefined;

/** The lower byte is the kind of failure; the upper ones say more about it. */
const kindOf = (thrown: unknown): number => (codeOf(thrown) ?? 0) & 0xff;
