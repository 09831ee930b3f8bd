import { type Choice, matchesChoice } from "../inventory/choice";
import type { DeletedThing } from "../inventory/things";

/** The options that choose what is restored. */
export interface RestoreChoice extends Pick<Choice, "group" | "name"> {
  /** Milliseconds since 1970; inclusive. */
  readonly since: number;
  /** Milliseconds since 1970; inclusive. */
  readonly until: number;
  /** Username of whoever deleted the objects. */
  readonly by?: string | undefined;
  /** Template for the new names of databases whose names are taken, for example `{name}-restored`. */
  readonly rename?: string | undefined;
}

/** Returns whether the options choose an object, or would choose it if the right person had deleted it. */
export function mayBeChosen(object: DeletedThing, choice: RestoreChoice): boolean {
  const at = Date.parse(object.deletedAt);
  return at >= choice.since && at <= choice.until && matchesChoice(object, choice);
}

/** Returns whether the options choose an object. `unproven` means that only its author is not known. */
export function isChosen(object: DeletedThing, choice: RestoreChoice): boolean | "unproven" {
  if (!mayBeChosen(object, choice)) return false;
  if (choice.by === undefined) return true;
  return object.by === undefined ? "unproven" : object.by.author === choice.by;
}
