/** How old a list may be that proves something: `now` requires a new request, `seconds` accepts a list of the last seconds. */
export type Since = "now" | "seconds";

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

/** A deleted object that can be restored. */
export class Deleted<Shown> {
  private readonly status = "deleted";

  constructor(
    private readonly facts: {
      /** The properties that are still known. */
      readonly shown: Partial<Shown>;
      /** RFC 3339 */
      readonly deletedAt: string;
      /** RFC 3339. Absent if nobody knows it. */
      readonly restorableUntil?: string | undefined;
      /** The values of outputs that are present only while the object is deleted. */
      readonly also?: Readonly<Record<string, unknown>>;
      /** Complete sentences for users. By default, they say when it was deleted and until when it can be restored. */
      readonly message?: string | undefined;
    },
  ) {}

  get times() {
    const { deletedAt, restorableUntil } = this.facts;
    return { deletedAt, restorableUntil };
  }

  get result() {
    const { shown, also, deletedAt, restorableUntil, message } = this.facts;
    return { status: this.status as "deleted", state: { ...shown, ...also, deletedAt, restorableUntil }, message };
  }
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
   * The object is deleted, and the platform can restore it or may be able to. `message` says when the object was
   * deleted, until when it can be restored, and what is restored with it. The preview reports whether the update
   * restores the object.
   */
  | { readonly status: "deleted"; readonly state: State; readonly message: string }
  | Absent;

export interface Restorable {
  readonly id: string;
  /** RFC 3339 */
  readonly deletedAt: string;
  /** RFC 3339 */
  readonly restorableUntil: string;
  /** Id of the container that was deleted together with the object. Restoring the container also restores the object. */
  readonly restoredWith?: string | undefined;
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
