/**
 * Tracks the platform's time from the `Date` header of the latest response. Before the first response, uses the clock
 * of this machine.
 */
export class PlatformClock {
  #ahead: number | undefined;

  get wasHeard(): boolean {
    return this.#ahead !== undefined;
  }

  /** Returns the platform's time in milliseconds since 1970, accurate to the second. */
  now(): number {
    return Date.now() + (this.#ahead ?? 0);
  }

  /**
   * Sets the clock to the time in a response.
   *
   * @param date The `Date` header of the response (RFC 9110 6.6.1).
   */
  heard(date: unknown): void {
    const at = Date.parse(String(date));
    if (Number.isFinite(at)) this.#ahead = at - Date.now();
  }
}
