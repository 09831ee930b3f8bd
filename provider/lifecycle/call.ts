/** Context of one call of the engine. */
export interface Call {
  /** URN of the resource or of the provider. */
  readonly urn: string;
  /** Aborted when the run is cancelled: no new work starts, and waits end. */
  readonly signal: AbortSignal;
  /** Aborted when the time limit that the user set for this operation (`customTimeouts`) is over. */
  readonly deadline?: AbortSignal;
  readonly log: (severity: "info" | "warning", message: string) => void;
}
