import type * as z from "zod";
import { UNKNOWN_KEY } from "./messages";

export interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The path and the message. */
  readonly text: string;
}

/** Converts validation issues into mistakes with their paths. Each unknown key becomes a separate mistake. */
export const mistakesOf = ({ issues }: z.core.$ZodError): Mistake[] =>
  issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => mistakeAt([...issue.path, key], UNKNOWN_KEY))
      : [mistakeAt(issue.path, issue.message)],
  );

const mistakeAt = (path: readonly PropertyKey[], message: string): Mistake => ({
  path,
  message,
  text: [...path.map(String), message].join(": "),
});
