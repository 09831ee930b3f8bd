import { Worker } from "node:worker_threads";
import { code } from "../../../values/code";
import { SqlFailure } from "./failure";
import { LIMIT_BYTES, LIMIT_MS, MOST_CHANGING, SLOW_MS } from "./limits";
import { TOO_MANY } from "./messages";

/** The file descriptor on which the watchdog reports to the server, in lines of JSON. */
const REPORT_FD = 3;

/** A report of the watchdog's thread to the server (docs/decisions/sql.md, "Slow statements"). */
export type WatchdogReport =
  /** A statement has been running for a while. */
  | {
      /** The job of the statement. */
      readonly slow: number;
      /** The latest job that has begun. Later ones that were sent by now never begin in this process. */
      readonly begun: number;
      readonly changing: readonly number[];
    }
  /** The slow statement has ended. */
  | { readonly over: true }
  /** The process is about to be killed, because of the statement of this job. */
  | { readonly killed: number; readonly changing: readonly number[] };

/**
 * The positions in the memory that both threads share. The ids of the jobs that may change rows are at the end, negative
 * while nothing of the job is committed yet.
 */
const LOCK = 0;
const REPORTS = 1;
const BEGUN = 2;
const STATEMENT = 3;
const CHANGING = 4;

/**
 * The code of the watchdog's own thread. SQLite blocks the thread that runs a statement, and only killing the process
 * stops the statement. The watchdog's thread also kills the process if the server no longer exists.
 */
const THREAD = code`
const { workerData: { state, words, limit, slow, bytes, fd, parent } } = require("node:worker_threads");
const end = () => process.kill(process.pid, "SIGKILL");
const report = (what) => require("node:fs").writeSync(fd, JSON.stringify(what) + "\n");
const lock = () => {
  while (Atomics.compareExchange(words, ${LOCK}, 0, 1) !== 0) Atomics.wait(words, ${LOCK}, 1, 1);
};
const marks = () => [...words.subarray(${CHANGING})];
// A statement is not slow if it only waits for a processor, unless that takes long.
const isSlow = (lasted) => {
  if (lasted <= slow) return false;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 > slow / 4 || lasted > 10 * slow;
};
let reported = 0;
let noticed = 0;
let before;
setInterval(() => {
  if (process.ppid !== parent) end();
  const statement = Atomics.load(words, ${STATEMENT});
  const [began, job, isLimited] = state;
  if (reported !== 0 && (began === 0 || statement !== reported)) {
    reported = 0;
    report({ over: true });
  }
  if (began === 0) return;
  const lasted = Date.now() - began;
  if (isLimited && (lasted > limit || process.memoryUsage.rss() > bytes)) {
    // Keeps the lock, so that no other job begins or changes anything after the report.
    lock();
    report({ killed: job, changing: marks().filter((id) => id > 0) });
    end();
  } else if (statement !== noticed) {
    noticed = statement;
    before = process.cpuUsage();
  } else if (statement !== reported && isSlow(lasted)) {
    lock();
    reported = statement;
    words[${REPORTS}] += 1;
    report({ slow: job, begun: words[${BEGUN}], changing: marks().filter((id) => id !== 0).map(Math.abs) });
    Atomics.store(words, ${LOCK}, 0);
  }
}, 50);
`;

/** Thrown if a job must run in another process. The job has changed nothing. */
export class MustRunElsewhere extends Error {}

interface Sending {
  readonly id: number;
  /** The number of reports of slow statements that the server had received when it sent the job. */
  readonly reports: number;
  /** Whether the job may only read. */
  readonly reads: boolean;
}

/** The turn of a job in this process. */
export class Turn {
  readonly #state: Float64Array;
  readonly #words: Int32Array;
  readonly #sent: Sending;
  /** The position of the job's id among the jobs that may change something, or 0. */
  #place = 0;

  constructor(state: Float64Array, words: Int32Array, sent: Sending) {
    this.#state = state;
    this.#words = words;
    this.#sent = sent;
  }

  /** Whether the job may have changed something. */
  get isChanging(): boolean {
    return this.#place > 0;
  }

  /**
   * Returns whether the job may begin. It may not if a statement has become slow since the job was sent: the server has
   * then sent the job to another process.
   */
  begin(): boolean {
    const isCurrent = this.#lock();
    if (isCurrent) this.#words[BEGUN] = this.#sent.id;
    this.#unlock();
    return isCurrent;
  }

  /**
   * Must be called before the job changes anything.
   *
   * @param isAlone Whether no other job can use the database, so that it does not matter where the job runs.
   * @throws MustRunElsewhere if the job may only read, or if a statement has become slow since the job was sent.
   */
  change(isAlone = false): void {
    this.#mark(this.#sent.id, isAlone);
  }

  /**
   * Must be called in place of `change` before a job changes something in a transaction that it does not commit itself.
   * If the process is killed before `commit` is called, the job runs again.
   */
  changeUncommitted(): void {
    this.#mark(-this.#sent.id, false);
  }

  #mark(mark: number, isAlone: boolean): void {
    if (this.#place > 0) return;
    if (this.#sent.reads) throw new MustRunElsewhere();
    const isCurrent = this.#lock() || isAlone;
    const place = this.#words.indexOf(0, CHANGING);
    if (isCurrent && place > 0) {
      this.#words[place] = mark;
      this.#place = place;
    }
    this.#unlock();
    if (!isCurrent) throw new MustRunElsewhere();
    if (place < 0) throw new SqlFailure(TOO_MANY, "SQLITE_BUSY");
  }

  /** Must be called before the transaction of a job that has called `changeUncommitted` is committed. */
  commit(): void {
    this.#lock();
    this.#words[this.#place] = this.#sent.id;
    this.#unlock();
  }

  /** Takes `change` back, because the job has changed nothing after all. */
  unchange(): void {
    if (this.#place > 0) this.#words[this.#place] = 0;
    this.#place = 0;
  }

  /**
   * Runs a function that may block this thread, while the watchdog monitors the job.
   *
   * @param isLimited Whether to kill the process if the function runs too long or uses too much memory.
   */
  guard<T>(work: () => T, isLimited = true): T {
    this.#state[1] = this.#sent.id;
    this.#state[2] = isLimited ? 1 : 0;
    Atomics.add(this.#words, STATEMENT, 1);
    this.#state[0] = Date.now();
    try {
      return work();
    } finally {
      this.#state[0] = 0;
    }
  }

  /** Takes the lock, and returns whether no statement has become slow since the job was sent. */
  #lock(): boolean {
    while (Atomics.compareExchange(this.#words, LOCK, 0, 1) !== 0) Atomics.wait(this.#words, LOCK, 1, 1);
    return this.#words[REPORTS] === this.#sent.reports;
  }

  #unlock(): void {
    Atomics.store(this.#words, LOCK, 0);
  }
}

/**
 * Reports statements that run for a while, and kills this process if a statement runs too long or uses too much memory.
 */
export class Watchdog {
  /** When the current statement began, its job, and whether it is limited. */
  readonly #state = new Float64Array(new SharedArrayBuffer(3 * 8));
  readonly #words = new Int32Array(new SharedArrayBuffer((CHANGING + MOST_CHANGING) * 4));

  constructor() {
    const shared = { state: this.#state, words: this.#words };
    const limits = { limit: LIMIT_MS, slow: SLOW_MS, bytes: LIMIT_BYTES };
    const workerData = { ...shared, ...limits, fd: REPORT_FD, parent: process.ppid };
    new Worker(THREAD, { eval: true, workerData }).unref();
  }

  turn(sent: Sending): Turn {
    return new Turn(this.#state, this.#words, sent);
  }
}
