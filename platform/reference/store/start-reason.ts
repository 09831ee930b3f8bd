import { StoreFailure } from "./failure";
import { CANNOT_OPEN, DISK_FULL, READ_ONLY } from "./messages";
import { reasonOf } from "./reason";
import { isFull, isReadOnly, isUnopenable } from "./sqlite-errors";

/** Explains why the server cannot start with the data, and gives advice if there is any. */
export function startReasonOf(thrown: unknown): string {
  const cause = thrown instanceof StoreFailure ? thrown.cause : thrown;
  if (isFull(cause)) return DISK_FULL;
  if (isReadOnly(cause)) return READ_ONLY;
  return isUnopenable(cause) ? CANNOT_OPEN : reasonOf(cause);
}
