/** Describes one call from the Pulumi engine. */
export interface Call {
  /** URN of the resource or provider that the call is about. */
  readonly urn: string;
  /** Aborted when the user cancels the update: every wait ends, and no further request is sent. */
  readonly signal: AbortSignal;
  /** Aborted when the operation exceeds the time limit that the user set with `customTimeouts`. */
  readonly deadline?: AbortSignal;
  /**
   * Shows the user a message: a warning stays visible at the end of the run, anything else only in the row of the
   * resource. Absent if the protocol supports no messages.
   */
  readonly log?: (severity: "info" | "warning", message: string) => void;
}
