/** Formats an RFC 3339 timestamp for people: `2026-11-27 07:04 UTC`, rounded down to the minute. */
export const readableInstant = (timestamp: string): string =>
  `${new Date(timestamp).toISOString().slice(0, 16).replace("T", " ")} UTC`;
