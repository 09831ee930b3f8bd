/** What time it is on the platform: by the `Date` of its latest answer, before the first one by this machine. */
export class PlatformClock {
  #ahead = 0;

  /** Unix time in milliseconds, to the second. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** @param date The `Date` header of an answer (RFC 9110 6.6.1). */
  heard(date: unknown): void {
    const at = Date.parse(String(date));
    if (Number.isFinite(at)) this.#ahead = at - Date.now();
  }
}
