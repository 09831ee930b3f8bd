/** An object that was created or found. */
export interface Made<State> {
  readonly id: string;
  readonly state: State;
}

export type ReadResult<State> =
  /** `message`: facts that the user has to know, in complete sentences. */
  | {
      readonly status: "live";
      readonly state: State;
      readonly message?: string;
      /** The deleted owner of this object; reported unless the stack also manages the owner. */
      readonly deletedOwner?: { readonly type: string; readonly id: string; readonly message: string };
    }
  /**
   * The object is deleted, and the platform can restore it or may be able to. `message`: when it was deleted, until
   * when and with what it can be restored. The preview of an update says whether the update restores it.
   */
  | { readonly status: "deleted"; readonly state: State; readonly message: string }
  /** The platform confirmed that the object does not exist. */
  | {
      readonly status: "absent";
      readonly message: string;
      /** Advice for a failed import, used when removing `import` does not help. */
      readonly advice?: string;
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
  /** Lists deleted objects that can be restored, instead of live ones. Allowed only for restorable types. */
  readonly deleted: boolean;
}

/** One object, with the properties that lists show. */
export interface Listed {
  readonly id: string;
  readonly name: string;
  /** Id of the object that contains this one. */
  readonly parent?: string;
  /** RFC 3339 */
  readonly deletedAt?: string;
}

/** A set of ids that supports membership checks only. */
export type Ids = Pick<ReadonlySet<string>, "has">;
