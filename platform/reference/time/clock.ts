import { refuse } from "../messages";
import type { State } from "../store/schema";
import { changeSetting, findSetting } from "../store/settings";
import type { Store } from "../store/store";

/**
 * The stored clock: either `ahead` of the machine's clock by a number of milliseconds, or stopped at the instant
 * `stands`.
 */
type Setting = { readonly ahead: number } | { readonly stands: string };

const REAL: Setting = { ahead: 0 };

export interface ReferenceClock {
  now(): Promise<Date>;
  stands(): Promise<boolean>;
  /** Stops the clock at an instant (RFC 3339). With `null`, the clock follows the machine's clock again. */
  set(instant: string | Date | null): Promise<void>;
  /** Moves the clock forward, whether it is running or stopped. Negative seconds move the clock back. */
  advance(seconds: number): Promise<void>;
  /** Stops the clock at the current instant. */
  freeze(): Promise<void>;
  /** Restarts a stopped clock from the instant that it shows. */
  run(): Promise<void>;
}

/** The clock of the reference server, shared by all processes that use the same data. */
export class Clock implements ReferenceClock {
  readonly #store: Store;
  readonly #moved: () => Promise<void> | undefined;

  /** @param moved Called after each change of the clock. Methods that change the clock await the returned promise. */
  constructor(store: Store, moved: () => Promise<void> | undefined = () => undefined) {
    this.#store = store;
    this.#moved = moved;
  }

  now(): Promise<Date> {
    return this.#store.read(clockNow);
  }

  set(instant: string | Date | null): Promise<void> {
    return this.#change(() => (instant === null ? REAL : { stands: timestampOf(new Date(instant)) }));
  }

  async advance(seconds: number): Promise<void> {
    const by = seconds * 1000;
    await this.#change((clock) => {
      const moved = timestampOf(new Date(timeOn(clock).getTime() + by));
      return "stands" in clock ? { stands: moved } : { ahead: clock.ahead + by };
    });
  }

  freeze(): Promise<void> {
    return this.#change((clock) => ({ stands: timestampOf(timeOn(clock)) }));
  }

  run(): Promise<void> {
    return this.#change((clock) => ("stands" in clock ? { ahead: Date.parse(clock.stands) - Date.now() } : clock));
  }

  async stands(): Promise<boolean> {
    return "stands" in (await this.#store.read(clockSetting));
  }

  async #change(next: (clock: Setting) => Setting): Promise<void> {
    await this.#store.transaction([], async (state) =>
      changeSetting(state, "clock", JSON.stringify(next(await clockSetting(state)))),
    );
    await this.#moved();
  }
}

export async function clockNow(state: State): Promise<Date> {
  return timeOn(await clockSetting(state));
}

export interface ClockReading {
  readonly now: Date;
  /** Milliseconds to add to the machine's time, or `undefined` while the clock is stopped. */
  readonly ahead: number | undefined;
}

export async function clockReading(state: State): Promise<ClockReading> {
  const clock = await clockSetting(state);
  return { now: timeOn(clock), ahead: "ahead" in clock ? clock.ahead : undefined };
}

const timeOn = (clock: Setting): Date =>
  "stands" in clock ? new Date(clock.stands) : new Date(Date.now() + clock.ahead);

/**
 * Formats an instant for the store. Throws for years outside 1 to 9999, because timestamps sort as text only if they
 * have the same length.
 */
export function timestampOf(instant: Date): string {
  const year = instant.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw refuse.clockOutOfRange();
  return instant.toISOString();
}

async function clockSetting(state: State): Promise<Setting> {
  const stored = await findSetting(state, "clock");
  return stored === undefined ? REAL : JSON.parse(stored);
}
