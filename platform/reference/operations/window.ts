import { RECOVERY_WINDOW_MS } from "../../contract/recovery";

/**
 * Returns the start of the recovery window (§8). A database or group deleted at exactly this instant can still be
 * restored.
 */
export const startOfWindow = (now: Date): string => new Date(now.getTime() - RECOVERY_WINDOW_MS).toISOString();

/** The default page size of the lists of deleted databases and groups (wire-facts 4.1, 4.3). */
export const DELETED_PAGE = 100;
