/** What time it is on the platform: by the `Date` of its latest answer, before the first one by this machine. */
export class PlatformClock {
  #ahead: number | undefined;

  get wasHeard(): boolean {
    return this.#ahead !== undefined;
  }

  /** Unix time in milliseconds, to the second. */
  now(): number {
    return Date.now() + (this.#ahead ?? 0);
  }

  /** @param date The `Date` header of an answer (RFC 9110 6.6.1). */
  heard(date: unknown): void {
    const at = Date.parse(String(date));
    if (Number.isFinite(at)) this.#ahead = at - Date.now();
  }
}
