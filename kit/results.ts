import type { DeletedContainer } from "./context";

/**
 * How old an answer of the platform may be: `seconds` accepts a list of the last seconds, `run` also one that this update
 * has requested before. Without an age, a new request has to answer.
 */
export type Age = "seconds" | "run";

export interface Made<State> {
  readonly id: string;
  readonly state: State;
}

/** A live object, with what there is to say besides its properties. */
export class Live<State> {
  readonly status = "live";

  constructor(
    readonly state: State,
    // A private member keeps every other object from being taken for one of this class.
    private readonly more: {
      /** Facts that the user has to know, in complete sentences. */
      readonly message?: string | undefined;
      /** Set if the object that contains this one is deleted. It is reported unless the stack manages it too. */
      readonly deletedOwner?: { readonly type: string; readonly id: string; readonly message: string } | undefined;
    } = {},
  ) {}

  get message() {
    return this.more.message;
  }

  get deletedOwner() {
    return this.more.deletedOwner;
  }
}

/** A deleted object that the platform can restore, or may be able to. */
export class Deleted<State> {
  constructor(
    private readonly known: Partial<State>,
    readonly deletion: Deletion,
  ) {}

  /** The properties that are still known, with the times of the deletion. */
  get state() {
    const { deletedAt, restorableUntil } = this.deletion;
    return { ...this.known, deletedAt, restorableUntil };
  }
}

/** What a resource knows of a deletion. The kit makes a sentence of it (`deletionMessage`). */
export interface Deletion {
  /** RFC 3339. If the deletion is unseen, the time at which the object was first found missing. */
  readonly deletedAt: string;
  /** RFC 3339. Absent if nobody knows it. */
  readonly restorableUntil?: string | undefined;
  /** Names who deleted the object, for example `ada with the CLI`. */
  readonly by?: string | undefined;
  /** Names the object with which it was deleted, for example `its notebook`. */
  readonly together?: string | undefined;
  /** The condition of a restoration, if it does not hold at present, for example `backups are enabled`. */
  readonly once?: string | undefined;
  /** What was deleted with the object, if a list shows it. The list replaces what a restoration brings. */
  readonly contents?: DeletedContents | undefined;
  /** Set if the credential cannot see whether the object was deleted. Of the other facts, only the times then count. */
  readonly unseen?: UnseenDeletion | undefined;
}

interface DeletedContents {
  /** For example `these notes and their text`. */
  readonly what: string;
  readonly objects: readonly { readonly name: string; readonly id: string }[];
}

interface UnseenDeletion {
  /** For how long a deleted object can be restored, for example `five days`. */
  readonly period: string;
  /** Why the credential cannot see it, in a clause. */
  readonly because: string;
}

/** An object that does not exist, as far as this credential can see. */
export class Absent {
  readonly status = "absent";

  constructor(
    /** Says that the object does not exist, in a clause. */
    readonly message: string,
    private readonly more: {
      /** Advice that replaces the usual advice for a failed import. Set if removing `import` would not help. */
      readonly advice?: string | undefined;
      /** Whether another credential might see the object. */
      readonly isHidden?: boolean | undefined;
    } = {},
  ) {}

  get advice() {
    return this.more.advice;
  }

  get isHidden() {
    return this.more.isHidden;
  }
}

/** What the steps get to know of an object. */
export type ReadResult<State> =
  | Live<State>
  /**
   * The object is deleted, and the platform can restore it or may be able to. `message` says so in complete sentences.
   * The preview reports whether the update restores the object.
   */
  | { readonly status: "deleted"; readonly state: State; readonly message: string }
  | Absent;

export interface Restorable {
  readonly id: string;
  /** RFC 3339 */
  readonly deletedAt: string;
  /** RFC 3339 */
  readonly restorableUntil: string;
  /** The container that was deleted together with the object. Undoing that deletion also restores the object. */
  readonly restoredWith?: DeletedContainer | undefined;
}

export interface Listed {
  readonly id: string;
  readonly name: string;
  /** Id of the object that contains this object, for example the notebook of a note. */
  readonly parent?: string;
  /** RFC 3339 */
  readonly deletedAt?: string;
}

/** A set of ids that supports only membership checks, so that callers cannot treat it as a complete list. */
export type Ids = Pick<ReadonlySet<string>, "has">;
