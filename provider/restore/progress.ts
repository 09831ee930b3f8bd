import { progress } from "./messages";

/** The output streams of a command. */
export interface CommandOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether `error` goes to a terminal, whose last line can be overwritten. */
  readonly isTerminal: boolean;
}

/** Milliseconds between two lines of progress. Outside a terminal, every line stays in the log. */
const EVERY_MS = { terminal: 100, log: 10_000 };

const BAR_LENGTH = 20;

/** Shows on standard error how many objects a run has restored, and how long it still takes. */
export class RestoreProgress {
  readonly #output: CommandOutput;
  readonly #count: number;
  readonly #begun = Date.now();
  #shown: number;
  #done = 0;
  #failed = 0;

  /** @param count The number of objects to restore. */
  constructor(count: number, output: CommandOutput) {
    this.#output = output;
    this.#count = count;
    // In a terminal, the first line appears at once.
    this.#shown = output.isTerminal ? 0 : this.#begun;
  }

  /** Counts an object. */
  add(isRestored: boolean): void {
    if (isRestored) this.#done++;
    else this.#failed++;
    const { isTerminal, error } = this.#output;
    if (Date.now() - this.#shown < (isTerminal ? EVERY_MS.terminal : EVERY_MS.log)) return;
    this.#shown = Date.now();
    const ended = this.#done + this.#failed;
    const secondsLeft = Math.ceil(((Date.now() - this.#begun) / ended / 1000) * (this.#count - ended));
    const line = progress({ done: this.#done, count: this.#count, failed: this.#failed, secondsLeft });
    error(isTerminal ? `\r\x1b[K${barOf(ended / this.#count)} ${line}` : `${line}\n`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#output.isTerminal) this.#output.error("\r\x1b[K");
  }
}

function barOf(share: number): string {
  const filled = Math.round(share * BAR_LENGTH);
  return `${"█".repeat(filled)}${"░".repeat(BAR_LENGTH - filled)}`;
}
