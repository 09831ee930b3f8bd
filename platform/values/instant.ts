/** Formats an RFC 3339 timestamp for messages, for example `2026-11-27 07:04 UTC`. Seconds are cut off. */
export const readableInstant = (timestamp: string): string =>
  `${new Date(timestamp).toISOString().slice(0, 16).replace("T", " ")} UTC`;
