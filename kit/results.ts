/** How old a list may be that proves something: `now` requires a new request, `seconds` accepts a list of the last seconds. */
export type Since = "now" | "seconds";

export interface Made<State> {
  readonly id: string;
  readonly state: State;
}

/** A live object of which there is more to say than its properties. */
export class Live<Shown> {
  // A private member keeps every other object from being taken for one of this class.
  private readonly status = "live";

  constructor(
    private readonly facts: {
      readonly shown: Shown;
      /** Facts that the user has to know, in complete sentences. */
      readonly message?: string | undefined;
      /** Set if the object that contains this one is deleted. It is reported unless the stack manages it too. */
      readonly deletedOwner?: { readonly type: string; readonly id: string; readonly message: string } | undefined;
    },
  ) {}

  get result() {
    const { shown, message, deletedOwner } = this.facts;
    return {
      status: this.status as "live",
      state: shown,
      ...(message === undefined ? {} : { message }),
      ...(deletedOwner && { deletedOwner }),
    };
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

/** An object that does not exist, of which there is more to say. */
export class Absent {
  private readonly status = "absent";

  constructor(
    private readonly facts: {
      readonly message: string;
      /** Advice that replaces the usual advice for a failed import. */
      readonly advice?: string | undefined;
      /** Whether another credential might see the object. */
      readonly isHidden?: boolean | undefined;
    },
  ) {}

  get result() {
    const { message, advice, isHidden } = this.facts;
    return {
      status: this.status as "absent",
      message,
      ...(advice === undefined ? {} : { advice }),
      ...(isHidden === undefined ? {} : { isHidden }),
    };
  }
}

export type ReadResult<State> =
  /** The object exists. `message` contains facts that the user has to know, in complete sentences. */
  | {
      readonly status: "live";
      readonly state: State;
      readonly message?: string;
      /**
       * Set if the container to which the object belongs is deleted. The deletion is reported unless the stack also
       * manages that container.
       */
      readonly deletedOwner?: { readonly type: string; readonly id: string; readonly message: string };
    }
  /**
   * The object is deleted, and the platform can restore it or may be able to. `message` says when the object was
   * deleted, until when it can be restored, and what is restored with it. The preview reports whether the update
   * restores the object.
   */
  | { readonly status: "deleted"; readonly state: State; readonly message: string }
  /** The platform has confirmed that the object does not exist, as far as this credential can see. */
  | {
      readonly status: "absent";
      readonly message: string;
      /** Advice that replaces the usual advice for a failed import. Set if removing `import` would not help. */
      readonly advice?: string;
      /** Set if another credential might see the object. */
      readonly isHidden?: boolean;
    };

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
