/** The names that this update gives to objects or, in a preview, that `pulumi up` would give. */
export interface GivenNames {
  of(type: string, id: string): string | undefined;
  /**
   * Returns the ids of the objects of this type to which this update gives the name. An object that a preview plans to
   * create has no id yet, so its URN stands for it.
   */
  idsOf(type: string, name: string): readonly string[];
}

/** A container as one of its deletions left it. */
export interface DeletedContainer {
  readonly type: string;
  readonly id: string;
  /** The time of that deletion (RFC 3339). */
  readonly deletedAt: string;
}

/** Answers a resource's questions about the current preview or update. */
export interface RunView {
  readonly names: GivenNames;
  /**
   * Returns whether the stack's state contains the object. The result is reliable only if the engine reads all
   * resources before it runs the program.
   */
  readonly inStack: (type: string, id: string) => boolean;
  /**
   * Returns whether the stack manages the object and the program no longer declares it. This update then deletes the
   * object, unless the option `retainOnDelete` keeps it.
   */
  readonly leavesStack: (type: string, id: string) => boolean;
  /** In a preview, returns the URN of the resource that will create an object of this type with this name. */
  readonly plannedBy: (type: string, name: string) => string | undefined;
  /** Returns whether a change of the program replaces the object in this update. */
  readonly replaces: (type: string, id: string) => boolean;
  /** Returns whether this update restores the object or, in a preview, whether `pulumi up` would. */
  readonly restores: (type: string, id: string) => boolean;
  /**
   * Returns whether `restores` is true of the container, and that brings back what was deleted with it at that time. A
   * container that was restored and deleted again does not bring back what only its earlier deletion has deleted.
   */
  readonly restoresWith: (container: DeletedContainer) => boolean;
  /** Loads a value at most once per update, for checks and warnings. If loading fails, the next caller tries again. */
  readonly once: <T>(what: string, load: () => Promise<T>) => Promise<T>;
}

/**
 * The context that resources and functions receive in each call from the engine.
 *
 * @typeParam P What the provider offers its resources, for example a client for its platform.
 */
export interface ResourceContext<P = unknown> {
  readonly platform: P;
  readonly run: RunView;
  /** URN of the resource that the call is about. */
  readonly urn: string;
  /**
   * Shows the user a warning, also at the end of the run. The engine repeats its first line in each later row of the
   * resource.
   */
  readonly warn: (message: string) => void;
  /** Shows the user what an update does, also at the end of the run. */
  readonly inform: (message: string) => void;
  /** Shows the user what an update does, only in the row of the resource. */
  readonly showStatus: (message: string) => void;
}
