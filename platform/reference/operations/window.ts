import { RECOVERY_WINDOW_MS } from "../../contract/recovery";

/** §8: what was deleted then or later can be brought back; its last instant still counts. */
export const startOfWindow = (now: Date): string => new Date(now.getTime() - RECOVERY_WINDOW_MS).toISOString();

/** Page size of the two lists of what was deleted, unless the caller says one (wire-facts 4.1, 4.3). */
export const DELETED_PAGE = 100;
