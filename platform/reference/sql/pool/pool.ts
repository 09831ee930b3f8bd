import { isBelow } from "../engine/database-files";
import { SqlFailure } from "../engine/failure";
import type { Job, JobResult, Target } from "../engine/jobs";
import { STREAM_LOST } from "../messages";
import type { Stream } from "../streams";
import { EngineProcess, JobNotRun } from "./process";

/** The maximum number of processes. Each process takes about 50 MB of memory. */
const MOST = 8;

/** The maximum number of processes that slow statements of one database may occupy. */
const MOST_SLOW = 4;

/**
 * A process that has had no job for this many milliseconds is ended, also the last one: 65 MB would be paid all day for
 * the 0.15 s that the next job waits for another one.
 */
const IDLE_MS = 30_000;

/** The process in which the statements of a database run. Only this process writes to the database. */
interface Home {
  readonly process: EngineProcess;
  /** True until the process has run a job for the database. */
  isNew: boolean;
  /** Ids of the open streams that have state. Such a stream can continue only in this process. */
  readonly streams: Set<string>;
}

type DatabaseJob = Extract<Job, Target>;

/**
 * The processes that run statements, started on demand. The jobs of a database run in one process, its home, unless a
 * slow statement blocks the home (docs/decisions/sql.md, "Slow statements").
 */
export class Pool {
  /** At most `MOST` processes. */
  readonly #processes = new Set<EngineProcess>();
  /** One entry for each database that has been used, until its process ends or its files are removed. */
  readonly #homes = new Map<string, Home>();
  #ending: NodeJS.Timeout | undefined;
  /** Resolves when the processes that `stop` has killed no longer write to files. */
  #stopped: Promise<unknown> = Promise.resolve();
  /** The platform's clock, as of the latest job. */
  #clock: object = {};

  /** Starts the first process, so that the first job does not wait for the start. */
  start(): void {
    if (this.#processes.size === 0) this.#start();
  }

  /** Resolves when a process can run jobs. Rejects if the process ends before. */
  async started(): Promise<void> {
    await this.#leastLoaded().started;
  }

  /**
   * Runs a job.
   *
   * @param stream The stream that the job may open or close.
   * @throws SqlFailure with the reason if the job fails.
   */
  async run(job: DatabaseJob, stream?: Pick<Stream, "id" | "isBound">): Promise<JobResult> {
    this.#clock = { now: job.now, ...("ahead" in job && { ahead: job.ahead }) };
    let mayRead = stream?.isBound === false;
    let mode: "changes" | undefined;
    for (;;) {
      const { home, reader } = this.#placeOf(job.folder, mayRead);
      if (stream?.isBound && !home.streams.has(stream.id)) throw new SqlFailure(STREAM_LOST, "STREAM_EXPIRED");
      try {
        // A job that runs again must not set the clock of a process back.
        const current = { ...job, ...this.#clock };
        if (reader) return await reader.run(current, "reads");
        const done = await home.process.run(home.isNew ? { ...current, arrives: true } : current, mode);
        home.isNew = false;
        if (stream && done.bound) home.streams.add(stream.id);
        else if (stream) home.streams.delete(stream.id);
        return done;
      } catch (thrown) {
        if (thrown instanceof JobNotRun) {
          // The job's own slow statement would keep it from changing anything in every process.
          if (thrown.isChange && !reader) mode = "changes";
          if (thrown.isChange) mayRead = false;
          continue;
        }
        if (stream) home.streams.delete(stream.id);
        throw thrown;
      }
    }
  }

  /**
   * Copies the current state of a database to the new SQLite file `to`. Copies nothing if the database has not been used
   * yet.
   */
  async save(folder: string, to: string, durable: boolean): Promise<void> {
    let mode: "changes" | undefined;
    for (;;) {
      try {
        await this.#placeOf(folder, false).home.process.run({ kind: "save", folder, to, durable }, mode);
        return;
      } catch (thrown) {
        if (!(thrown instanceof JobNotRun)) throw thrown;
        if (thrown.isChange) mode = "changes";
      }
    }
  }

  /** Returns whether a stream with state is still open. Such a stream ends with its process. */
  has(folder: string, stream: string): boolean {
    return this.#homes.get(folder)?.streams.has(stream) ?? false;
  }

  /** Closes a stream that is no longer used. */
  async end(folder: string, stream: string): Promise<void> {
    const home = this.#homes.get(folder);
    if (!home?.streams.delete(stream)) return;
    await home.process.run({ kind: "close", folder, stream }).catch(() => undefined);
  }

  /** Closes a database in every process, so that its files can be moved or removed. */
  async release(folder: string): Promise<void> {
    this.#homes.delete(folder);
    await Promise.all([...this.#processes].map((each) => each.run({ kind: "release", folder }).catch(() => undefined)));
  }

  /** Kills the processes that run statements. Their jobs fail with this error, except copies, which run again. */
  stop(failure: SqlFailure): void {
    for (const each of [...this.#processes]) {
      if (!each.hasStatements) continue;
      this.#stopped = Promise.all([this.#stopped, this.#kill(each, failure)]);
    }
  }

  /** Closes all databases below a folder in every process, because their files are no longer needed. */
  async discard(folder: string): Promise<void> {
    for (const each of this.#homes.keys()) if (isBelow(folder, each)) this.#homes.delete(each);
    await this.#stopped;
    const discardIn = (each: EngineProcess) =>
      // A process that could not close a database would continue to use its old files.
      each.run({ kind: "discard", folder }).catch(() => this.#kill(each));
    await Promise.all([...this.#processes].map(discardIn));
    this.start();
  }

  /** Kills all processes. Committed changes are already in the files. */
  killAll(): void {
    clearInterval(this.#ending);
    this.#ending = undefined;
    const all = [...this.#processes];
    this.#processes.clear();
    this.#homes.clear();
    for (const each of all) each.kill();
  }

  /** Returns the home of a database and, if the job must not wait for the home, a process in which it may only read. */
  #placeOf(folder: string, mayRead: boolean): { home: Home; reader?: EngineProcess } {
    const home = this.#homes.get(folder) ?? this.#settle(folder, this.#free(folder) ?? this.#leastLoaded());
    if (home.process.slowFolder === undefined) return { home };
    const free = this.#free(folder);
    if (!free) return { home };
    if (home.streams.size === 0 && home.process.onlyReads(folder)) return { home: this.#settle(folder, free) };
    return mayRead ? { home, reader: free } : { home };
  }

  #settle(folder: string, process: EngineProcess): Home {
    const home = { process, isNew: true, streams: new Set<string>() };
    this.#homes.set(folder, home);
    return home;
  }

  get #byLoad(): EngineProcess[] {
    return [...this.#processes].sort((one, other) => one.load - other.load);
  }

  #leastLoaded(): EngineProcess {
    return this.#byLoad[0] ?? this.#start();
  }

  /** Returns a process without a slow statement, or `undefined` if the database may not use another process. */
  #free(folder: string): EngineProcess | undefined {
    const processes = this.#byLoad;
    if (processes.filter(({ slowFolder }) => slowFolder === folder).length >= MOST_SLOW) return undefined;
    const free = processes.find(({ slowFolder }) => slowFolder === undefined);
    return free ?? (processes.length < MOST ? this.#start() : undefined);
  }

  #start(): EngineProcess {
    const process: EngineProcess = new EngineProcess(() => this.#forget(process));
    this.#processes.add(process);
    this.#ending ??= setInterval(() => this.#endIdle(), IDLE_MS / 3).unref();
    return process;
  }

  /** Kills a process, so that it gets no further job. Resolves when it no longer writes to files. */
  #kill(process: EngineProcess, failure?: SqlFailure): Promise<void> {
    this.#forget(process);
    process.kill(failure);
    return process.ended;
  }

  #forget(process: EngineProcess): void {
    this.#processes.delete(process);
    for (const [folder, home] of this.#homes) if (home.process === process) this.#homes.delete(folder);
  }

  /** Ends processes that are no longer needed. Killing them is safe, because everything is in the files. */
  #endIdle(): void {
    const used = new Set(
      [...this.#homes.values()].filter(({ streams }) => streams.size > 0).map(({ process }) => process),
    );
    for (const process of this.#processes) {
      if (process.idle < IDLE_MS || used.has(process)) continue;
      void this.#kill(process);
    }
  }
}
