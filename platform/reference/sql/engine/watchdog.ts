import { Worker } from "node:worker_threads";
import { code } from "./code";
import { LIMIT_BYTES, LIMIT_MS } from "./limits";

/** The file descriptor on which the watchdog reports the job that it stopped. */
const REPORT_FD = 3;

/**
 * The code of the watchdog's own thread. SQLite blocks the thread that runs a statement, and only killing the process
 * stops the statement (decision 160). The watchdog's thread also kills the process if the server no longer exists.
 */
const THREAD = code`
const { workerData: { state, limit, bytes, fd, parent } } = require("node:worker_threads");
const end = () => process.kill(process.pid, "SIGKILL");
setInterval(() => {
  if (process.ppid !== parent) end();
  const [began, job] = state;
  if (began === 0 || (Date.now() - began <= limit && process.memoryUsage.rss() <= bytes)) return;
  require("node:fs").writeSync(fd, String(job));
  end();
}, 100);
`;

/** Runs a function that may block this thread, while the watchdog monitors the current job. */
export type Guard = <T>(work: () => T) => T;

/**
 * Kills this process if a statement runs too long or uses too much memory, and reports the job that ran the statement.
 */
export class Watchdog {
  readonly #state = new Float64Array(new SharedArrayBuffer(16));

  constructor() {
    const workerData = { state: this.#state, limit: LIMIT_MS, bytes: LIMIT_BYTES, fd: REPORT_FD, parent: process.ppid };
    new Worker(THREAD, { eval: true, workerData }).unref();
  }

  /** Runs a function that may block this thread, while the watchdog monitors the job. */
  guard<T>(job: number, work: () => T): T {
    this.#state[1] = job;
    this.#state[0] = Date.now();
    try {
      return work();
    } finally {
      this.#state[0] = 0;
    }
  }
}
