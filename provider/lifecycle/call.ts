/** What comes with one call of the engine and is needed below. */
export interface Call {
  /** URN of the resource, or of the provider. */
  readonly urn: string;
  /** Aborted when the run is cancelled: nothing new is begun, waits end. */
  readonly signal: AbortSignal;
  /** Aborted when the time is over that the user gave for this operation (`customTimeouts`). */
  readonly deadline?: AbortSignal;
  readonly log: (severity: "info" | "warning", message: string) => void;
}
