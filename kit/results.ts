/**
 * How old an answer of the platform may be: `seconds` accepts a list of the last seconds, `run` also one that this update
 * has requested before. Without an age, a new request has to answer.
 */
export type Age = "seconds" | "run";

export interface Made<State> {
  readonly id: string;
  readonly state: State;
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
