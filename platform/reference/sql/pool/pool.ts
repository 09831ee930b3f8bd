import { SqlFailure } from "../engine/failure";
import type { Done, Job, Target } from "../engine/jobs";
import { STREAM_LOST } from "../messages";
import type { Stream } from "../streams";
import { EngineProcess, NotBegun } from "./process";

/** The maximum number of processes. Each process takes about 50 MB of memory. */
const MOST = 4;

interface Home {
  readonly process: EngineProcess;
  jobs: number;
  /** True until the first job for the database is sent to the process. */
  isNew: boolean;
  /** Ids of the open streams. A stream can continue only in the process that opened the stream. */
  readonly streams: Set<string>;
}

/**
 * The processes that run statements, started on demand. All jobs of a database run in one process at a time. If that
 * process becomes slow, the database moves to another process, but not while the database has running jobs or open
 * streams.
 */
export class Pool {
  readonly #processes = new Set<EngineProcess>();
  readonly #homes = new Map<string, Home>();

  /**
   * Runs a job.
   *
   * @param stream The stream that the job may open or close.
   * @throws SqlFailure with the reason if the job fails.
   */
  async run(job: Extract<Job, Target>, stream?: Pick<Stream, "id" | "isNew">): Promise<Done> {
    const home = this.#homeOf(job.folder);
    home.jobs += 1;
    try {
      const arrives = home.isNew;
      home.isNew = false;
      const done = await home.process.run(arrives ? { ...job, arrives } : job);
      if (stream && done.open) home.streams.add(stream.id);
      else if (stream) home.streams.delete(stream.id);
      return done;
    } catch (thrown) {
      if (stream) home.streams.delete(stream.id);
      if (!(thrown instanceof NotBegun)) throw thrown;
      if (stream?.isNew === false) throw new SqlFailure(STREAM_LOST, "STREAM_EXPIRED");
    } finally {
      home.jobs -= 1;
    }
    return this.run(job, stream);
  }

  /** Returns whether a stream is still open. A stream ends with its process. */
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

  /** Kills all processes. Committed changes are already in the files. */
  killAll(): void {
    for (const each of this.#processes) each.kill();
    this.#processes.clear();
    this.#homes.clear();
  }

  #homeOf(folder: string): Home {
    const known = this.#homes.get(folder);
    const isAlive = known !== undefined && this.#processes.has(known.process);
    if (isAlive && (known.jobs > 0 || known.streams.size > 0 || !known.process.isSlow)) return known;
    const home = { process: this.#choose(), jobs: 0, isNew: true, streams: new Set<string>() };
    this.#homes.set(folder, home);
    return home;
  }

  #choose(): EngineProcess {
    const byLoad = [...this.#processes].sort((one, other) => one.load - other.load);
    const free = byLoad.find((each) => !each.isSlow);
    if (free) return free;
    const [least] = byLoad;
    return least && byLoad.length >= MOST ? least : this.#start();
  }

  #start(): EngineProcess {
    const process: EngineProcess = new EngineProcess(() => {
      this.#processes.delete(process);
      for (const [folder, home] of this.#homes) if (home.process === process) this.#homes.delete(folder);
    });
    this.#processes.add(process);
    return process;
  }
}
