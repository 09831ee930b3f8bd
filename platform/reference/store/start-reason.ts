import { StoreFailure } from "./failure";
import { CANNOT_OPEN, DISK_FULL, READ_ONLY } from "./messages";
import { reasonOf } from "./reason";
import { isFull, isReadOnly, isUnopenable } from "./sqlite-errors";

/** Explains why the server cannot open the data at startup, with advice for known errors. */
export function startReasonOf(thrown: unknown): string {
  const cause = thrown instanceof StoreFailure ? thrown.cause : thrown;
  if (isFull(cause)) return DISK_FULL;
  if (isReadOnly(cause)) return READ_ONLY;
  return isUnopenable(cause) ? CANNOT_OPEN : reasonOf(cause);
}
