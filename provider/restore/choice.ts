import { matchesPattern } from "../command/option-values";
import type { Author } from "../facts";

/** A deleted group or database. */
export interface RestoreCandidate {
  readonly kind: "database" | "group";
  readonly id: string;
  readonly name: string;
  /** RFC 3339 */
  readonly deletedAt: string;
  /** The group of a database. */
  readonly group?: { readonly id: string; readonly name: string } | undefined;
  /** Present if a database was deleted together with its group (RFC 3339). */
  readonly groupDeletedAt?: string | undefined;
  /** Who deleted the object. Absent unless the audit log proves it. */
  readonly by?: Author | undefined;
}

/** The options that choose what is restored. */
export interface RestoreChoice {
  /** Milliseconds since 1970; inclusive. */
  readonly since: number;
  /** Milliseconds since 1970; inclusive. */
  readonly until: number;
  /** Name or UUID of the group that contains the databases. */
  readonly group?: string | undefined;
  /** Pattern for names; `*` matches any text. */
  readonly name?: string | undefined;
  /** Username of whoever deleted the objects. */
  readonly by?: string | undefined;
  /** Template for the new names of databases whose names are taken, for example `{name}-restored`. */
  readonly rename?: string | undefined;
}

/** Returns whether the options choose an object. `unproven` means that only its author is not known. */
export function isChosen(
  object: RestoreCandidate,
  { since, until, group, name, by }: RestoreChoice,
): boolean | "unproven" {
  const at = Date.parse(object.deletedAt);
  const place = object.group ?? object;
  const fits =
    at >= since &&
    at <= until &&
    (group === undefined || place.id === group || place.name === group) &&
    (name === undefined || matchesPattern(object.name, name));
  if (!fits || by === undefined) return fits;
  return object.by === undefined ? "unproven" : object.by.author === by;
}
