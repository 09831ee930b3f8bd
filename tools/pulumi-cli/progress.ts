/** Shows the progress of long-running tasks. */
export interface Progress {
  say(line: string): void;
  /** Shows the start, the progress and the duration of a phase. `work` can call `tell` to report details. */
  during<T>(phase: string, work: (tell: (detail: string) => void) => Promise<T>): Promise<T>;
}

const lineEvery = 15_000;
const redrawEvery = 500;

/** Reports progress in separate lines, at least every 15 seconds. */
export function progressLines(say: (line: string) => void): Progress {
  return { say, during: (phase, work) => during({ say, update: say, clear: () => {}, every: lineEvery }, phase, work) };
}

/** Reports progress in a single line that is redrawn, or in separate lines if the stream is not a terminal. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return progressLines((line) => stream.write(`${line}\n`));
  const say = (line: string) => void stream.write(`\r\x1b[K${line}\n`);
  const update = (line: string) => void stream.write(`\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}`);
  return {
    say,
    during: (phase, work) => during({ say, update, clear: () => update(""), every: redrawEvery }, phase, work),
  };
}

export function seconds(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  if (whole >= 60) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return whole >= 10 ? `${whole} s` : `${(milliseconds / 1000).toFixed(1)} s`;
}

interface Display {
  readonly say: (line: string) => void;
  readonly update: (line: string) => void;
  readonly clear: () => void;
  readonly every: number;
}

async function during<T>(
  { say, update, clear, every }: Display,
  phase: string,
  work: (tell: (detail: string) => void) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const elapsed = () => seconds(performance.now() - started);
  let detail = "";
  say(`${phase} ...`);
  const timer = setInterval(() => update(`${phase}: ${detail && `${detail}, `}${elapsed()}`), every);
  try {
    const result = await work((text) => {
      detail = text;
    });
    say(`${phase}: done in ${elapsed()}`);
    return result;
  } finally {
    clearInterval(timer);
    clear();
  }
}
