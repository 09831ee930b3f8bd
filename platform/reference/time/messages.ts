import { message } from "../../values/message";

/** The public service's messages for an invalid instant, reproduced verbatim (wire-facts 3.2). */
export const instantUnparsable = message(
  ({ text, layout, rest, part }: { text: string; layout: string; rest: string; part: string }) =>
    `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${part}"`,
  [{ text: "2023-12-12T00:00:00", layout: "2006-01-02T15:04:05Z07:00", rest: "", part: "Z07:00" }],
);
export const instantOutOfRange = message(
  (text: string) => `parsing time "${text}": out of range`,
  ["2026-02-30T12:00:00Z"],
);
export const instantTooLong = message(
  (text: string, rest: string) => `parsing time "${text}": extra text: "${rest}"`,
  ["2026-03-01T12:00:00Z tomorrow", " tomorrow"],
);
