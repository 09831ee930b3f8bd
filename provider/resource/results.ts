/** An object that was created or found. */
export interface Made<State> {
  readonly id: string;
  readonly state: State;
}

export type ReadResult<State> =
  /** `message`: what the user has to know, in whole sentences. */
  | {
      readonly status: "live";
      readonly state: State;
      readonly message?: string;
      /** The deleted object that this one belongs to; reported unless the stack manages that object too. */
      readonly deletedOwner?: { readonly type: string; readonly id: string; readonly message: string };
    }
  /**
   * Deleted, and the platform can restore it, or may be able to. `message`: when it was deleted, until when and with what
   * it can be restored. Whether an update restores it is said by the preview of that update.
   */
  | { readonly status: "deleted"; readonly state: State; readonly message: string }
  /** A confirmed absence. */
  | {
      readonly status: "absent";
      readonly message: string;
      /** Advice on import, where removing `import` is not the answer. */
      readonly wayOn?: string;
    };

/** A deleted object that can still be restored. */
export interface Restorable {
  readonly id: string;
  /** RFC 3339 */
  readonly deletedAt: string;
  /** RFC 3339 */
  readonly restorableUntil: string;
}

export interface ListQuery {
  /** Lists deleted objects that can be restored, instead of live ones. Only for kinds that can be restored. */
  readonly deleted: boolean;
}

/** One object, as far as lists show it. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  /** Id of the object that contains it. */
  readonly parent?: string;
  /** RFC 3339 */
  readonly deletedAt?: string;
}

/** Ids, which can be asked for one by one. */
export type Ids = Pick<ReadonlySet<string>, "has">;
