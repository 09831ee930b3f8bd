/** The platform's clock, as it was when this process received its latest job. */
export class Clock {
  #now = "";
  #ahead: number | undefined;

  /** @param ahead Milliseconds to add to the machine's time, or `undefined` while the clock is stopped. */
  set({ now, ahead }: { readonly now: string; readonly ahead: number | undefined }): void {
    this.#now = now;
    this.#ahead = ahead;
  }

  /** The current time (RFC 3339). */
  get now(): string {
    return this.#ahead === undefined ? this.#now : new Date(Date.now() + this.#ahead).toISOString();
  }
}
