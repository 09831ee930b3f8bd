/**
 * The platform's clock, taken from the `Date` header of the latest response; until the first response, this machine's
 * clock.
 */
export class PlatformClock {
  #ahead: number | undefined;

  get wasHeard(): boolean {
    return this.#ahead !== undefined;
  }

  /** Unix time in milliseconds, accurate to the second. */
  now(): number {
    return Date.now() + (this.#ahead ?? 0);
  }

  /** @param date The `Date` header of a response (RFC 9110 6.6.1). */
  heard(date: unknown): void {
    const at = Date.parse(String(date));
    if (Number.isFinite(at)) this.#ahead = at - Date.now();
  }
}
