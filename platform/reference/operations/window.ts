import { RECOVERY_WINDOW_MS } from "../../contract/recovery";

/** §8: start of the recovery window. An object deleted exactly then can still be restored. */
export const startOfWindow = (now: Date): string => new Date(now.getTime() - RECOVERY_WINDOW_MS).toISOString();

/** Default page size of the two lists of deleted objects (wire-facts 4.1, 4.3). */
export const DELETED_PAGE = 100;
