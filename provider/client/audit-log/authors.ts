import { type Act, type AuditSubject, bindsName, isAbout } from "./acts";

// A wrong author accuses somebody, so an author is named only if each entry that may have had the effect (its code fits
// or is unknown, and nothing in it shows another object) certainly is about the object, and all have one author and
// origin. Many entries show only a name, which a creation, restoration, renaming or transfer may give to another object.

/** The author, origin and time of a change. */
export interface Deed {
  readonly author: string;
  /** For example `cli`, `web` or `api`. */
  readonly origin: string;
  /** RFC 3339 */
  readonly at: string;
}

/** The part of the audit log that has been read so far. */
interface ReadAuditLog {
  readonly acts: readonly Act[];
  /**
   * Every entry later than this time has been read. Milliseconds since 1970; `-Infinity` if the whole log has been
   * read.
   */
  readonly readBackTo: number;
  /** The time when the log was requested, in milliseconds since 1970. */
  readonly asOf: number;
}

/**
 * A function that finds the author of a change in the audit log. It returns `unclear` if the log does not prove who the
 * author is, and `unread` if older entries must be read first.
 */
export type Search = (log: ReadAuditLog) => Deed | "unclear" | "unread";

/** An object that somebody deleted. */
export interface DeletedSubject extends AuditSubject {
  /** RFC 3339 */
  readonly deletedAt: string;
}

/** If two platform timestamps are closer together than this, their order is uncertain. */
const TOLERANCE_MS = 5_000;

/** The platform's time is known to the second (see `PlatformClock`). */
const CLOCK_STEP_MS = 1_000;

/**
 * Returns a `Search` that finds the user who deleted an object, from the audit-log entries within five seconds of the
 * deletion.
 */
export const deleterOf =
  (subject: AuditSubject, deletedAt: string): Search =>
  ({ acts, readBackTo, asOf }) => {
    const at = Date.parse(deletedAt);
    if (readBackTo > at - TOLERANCE_MS) return "unread";
    // The log was read before this deletion, so the entries found may be about an earlier deletion.
    if (at > asOf + CLOCK_STEP_MS) return "unclear";
    const possible = acts.filter(
      (act) =>
        act.kind === subject.kind &&
        (act.did === "deleted" || act.did === "unknown") &&
        Math.abs(act.at - at) <= TOLERANCE_MS &&
        isAbout(act, subject) !== false,
    );
    return soleAuthor(possible, (act) => act.did === "deleted" && isAbout(act, subject) === true) ?? "unclear";
  };

/** Returns a `Search` that finds a restoration of the object. */
export const restorationOf =
  (subject: AuditSubject): Search =>
  ({ acts, readBackTo }) => {
    const found = acts.find((act) => act.kind === subject.kind && act.did === "restored" && isAbout(act, subject));
    if (found) return { ...found, at: new Date(found.at).toISOString() };
    return Number.isFinite(readBackTo) ? "unread" : "unclear";
  };

/** Returns a `Search` that finds the deletion of the last object with this name, unless the name has been used since. */
export const lastDeletionOf =
  ({ kind, name }: Pick<AuditSubject, "kind" | "name">): Search =>
  ({ acts, readBackTo }) => {
    const last = acts.filter((act) => act.kind === kind && act.name === name).toSorted((a, b) => b.at - a.at)[0];
    if (!last) return Number.isFinite(readBackTo) ? "unread" : "unclear";
    return last.did === "deleted" ? { ...last, at: new Date(last.at).toISOString() } : "unclear";
  };

/** For each setting, a function that returns whether a value is the platform's current value. */
export type SettingChecks = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * Returns a `Search` that finds the user who set the current values of the given settings, unless several users set
 * them.
 */
export const setterOf =
  (subject: AuditSubject, settings: SettingChecks): Search =>
  (log) => {
    const found = Object.entries(settings).map(([setting, isNow]) => authorOfSetting(subject, setting, isNow, log));
    const unfinished = found.find((each) => typeof each === "string");
    const deeds = found.filter((each) => typeof each === "object");
    const latest = deeds.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
    if (unfinished || !latest) return unfinished ?? "unclear";
    return deeds.every((deed) => isSameAuthor(deed, latest)) ? latest : "unclear";
  };

const CHANGES: readonly Act["did"][] = ["set", "renamed", "unknown"];

function authorOfSetting(
  subject: AuditSubject,
  setting: string,
  isNow: (value: unknown) => boolean,
  { acts, readBackTo }: ReadAuditLog,
): Deed | "unclear" | "unread" {
  const own = acts.filter(({ kind }) => kind === subject.kind);
  // Entries before this time may be about another object that had the same name.
  const namedSince = Math.max(
    Number.NEGATIVE_INFINITY,
    ...own
      .filter((act) => bindsName(act, subject) && !(act.did === "renamed" && setting === "name"))
      .map(({ at }) => at),
  );
  const changes = own.filter(
    (act) =>
      CHANGES.includes(act.did) &&
      isAbout(act, subject) !== false &&
      (act.settings === undefined || setting in act.settings) &&
      act.at >= namedSince - TOLERANCE_MS,
  );
  const hasOther = (act: Act) => act.settings !== undefined && !isNow(act.settings[setting]);
  const otherUntil = Math.max(Number.NEGATIVE_INFINITY, ...changes.filter(hasOther).map(({ at }) => at));
  const possible = changes.filter((act) => !hasOther(act) && act.at >= otherUntil - TOLERANCE_MS);
  const isCertain = (act: Act) =>
    act.settings !== undefined &&
    isAbout(act, subject) === true &&
    act.at > Math.max(namedSince, otherUntil) + TOLERANCE_MS;
  // All entries later than this time must have been read. Otherwise, an unread entry may record a more recent change,
  // because timestamps are inexact.
  const readUntil = Math.max(namedSince, otherUntil, ...possible.map(({ at }) => at));
  if (readUntil < readBackTo) return "unread";
  return soleAuthor(possible, isCertain) ?? "unclear";
}

const isSameAuthor = (one: Pick<Deed, "author" | "origin">, other: Pick<Deed, "author" | "origin">): boolean =>
  one.author === other.author && one.origin === other.origin;

/** Matches author names that are safe to print. */
const READABLE = /^[^\p{C}]{1,100}$/u;

/**
 * Returns the latest of the possible actions, if all of them are certain and have the same author.
 *
 * @param possible Logged actions that may have caused a deletion, creation or change.
 * @param isCertain Returns whether the audit-log entry proves that the action was the cause.
 */
export function soleAuthor(possible: readonly Act[], isCertain: (act: Act) => boolean): Deed | undefined {
  const latest = possible.toSorted((one, other) => other.at - one.at)[0];
  if (!latest || !READABLE.test(latest.author)) return undefined;
  if (!possible.every((act) => isCertain(act) && isSameAuthor(act, latest))) return undefined;
  return { author: latest.author, origin: latest.origin, at: new Date(latest.at).toISOString() };
}

/**
 * Returns how far back the log has been read. Every entry later than the returned time has been read, even if
 * timestamps are inexact.
 *
 * @param lastAt The time of the oldest entry read, in milliseconds since 1970.
 */
export const logReadBackTo = (lastAt: number): number => lastAt + TOLERANCE_MS;
