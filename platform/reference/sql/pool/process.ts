import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SqlFailure } from "../engine/failure";
import type { EngineReply, Job, JobResult } from "../engine/jobs";
import { LIMIT_BYTES, LIMIT_MS } from "../engine/limits";
import type { WatchdogReport } from "../engine/watchdog";
import { ENGINE_ENDED, statementStopped } from "../messages";

/** Thrown if a process has changed nothing for a job and will not begin or continue it. Another process can run it. */
export class JobNotRun extends Error {
  /** @param isChange Whether the job was about to change something. */
  constructor(readonly isChange = false) {
    super();
  }
}

/** The permissions of a job in a process. By default, it may change something until a statement becomes slow. */
export type Mode = "reads" | "changes";

interface WaitingJob {
  readonly job: Job;
  readonly reads: boolean;
  /** The number of reports of slow statements when the job was sent. */
  readonly reports: number;
  resolve(done: JobResult): void;
  reject(reason: unknown): void;
}

/** The state of a process, by the watchdog's latest report. */
type ProcessState =
  | { readonly is: "running" }
  /** The statement of a job is slow. */
  | { readonly is: "blocked"; readonly job: number; readonly folder: string; readonly changing: ReadonlySet<number> }
  /** The statement of a job was stopped, together with the process. */
  | { readonly is: "killed"; readonly job: number; readonly changing: ReadonlySet<number> };

const RUNS: ProcessState = { is: "running" };

/** Returns whether a job closes a stream or databases that only this process may have open. */
const isClosing = ({ kind }: Job): boolean => kind === "close" || kind === "release" || kind === "discard";

/** Returns whether a job may take as long as its caller likes. */
const runsStatements = ({ kind }: Job): boolean =>
  kind === "pipeline" || kind === "cursor" || kind === "load" || kind === "dump";

/** A child process that runs statements. */
export class EngineProcess {
  readonly #child: ChildProcess;
  /** The jobs that have not ended: at most one for each request that the server is answering, and those that close. */
  readonly #waiting = new Map<number, WaitingJob>();
  #count = 0;
  #heard = performance.now();
  #reports = 0;
  #state: ProcessState = RUNS;
  /** Resolves when the process can run jobs. Rejects if it ends before. */
  readonly started: Promise<unknown>;
  /** Resolves when the process has ended, whatever the reason. */
  readonly ended: Promise<void>;

  /** @param forget Called when the process has ended, before its jobs are rejected. */
  constructor(forget: () => void) {
    this.#child = startProcess();
    const reports = this.#child.stdio[3];
    if (reports && "readable" in reports)
      createInterface({ input: reports }).on("line", (line) => this.#note(JSON.parse(line)));
    this.#child.on("message", (reply: EngineReply) => this.#receive(reply));
    this.ended = new Promise((resolve) => {
      const end = () => {
        forget();
        this.#fail();
        resolve();
      };
      // Waits for `close` instead of `exit`, because the watchdog's report may arrive after `exit`.
      this.#child.once("close", end);
      // A process that cannot be started emits `error` without `close`.
      this.#child.on("error", end);
    });
    this.started = this.run({ kind: "release", folder: "" });
    this.started.catch(() => undefined);
  }

  get load(): number {
    return this.#waiting.size;
  }

  /** Whether the process has jobs that run statements. */
  get hasStatements(): boolean {
    return [...this.#waiting.values()].some(({ job }) => runsStatements(job));
  }

  /** How long the process has had no job, in milliseconds. */
  get idle(): number {
    return this.load > 0 ? 0 : performance.now() - this.#heard;
  }

  /** The folder of the database whose slow statement blocks the process. */
  get slowFolder(): string | undefined {
    return this.#state.is === "blocked" ? this.#state.folder : undefined;
  }

  /**
   * Returns whether no unfinished job of a database can change it any more, while a slow statement blocks the process. A
   * job that had changed nothing when the statement became slow never will.
   */
  onlyReads(folder: string): boolean {
    const state = this.#state;
    const isChanging = (id: number) => state.is === "blocked" && state.changing.has(id);
    return [...this.#waiting].every(
      ([id, { job, reads, reports }]) =>
        job.folder !== folder || reads || (!isClosing(job) && reports < this.#reports && !isChanging(id)),
    );
  }

  run(job: Job, mode?: Mode): Promise<JobResult> {
    this.#count += 1;
    const id = this.#count;
    const reports = this.#reports;
    const reads = mode === "reads";
    return new Promise<JobResult>((resolve, reject) => {
      this.#waiting.set(id, { job, reads, reports, resolve, reject });
      // A send error needs no handling: the process is ending, and all its jobs are then rejected.
      this.#child.send({ id, reports, reads, changes: mode === "changes", job }, () => undefined);
    });
  }

  /**
   * Kills the process.
   *
   * @param failure The error with which jobs that run statements fail. Other jobs run again in another process.
   */
  kill(failure?: SqlFailure): void {
    this.#child.kill("SIGKILL");
    if (failure) this.#failJobs(failure);
    // The server has no further use for the jobs, so none of them may run again.
    this.#state = RUNS;
    this.#fail();
  }

  #failJobs(failure: SqlFailure): void {
    for (const { job, reject } of this.#waiting.values()) reject(runsStatements(job) ? failure : new JobNotRun());
    this.#waiting.clear();
  }

  #receive(reply: EngineReply): void {
    this.#heard = performance.now();
    if (this.#state.is === "blocked" && this.#state.job === reply.id) this.#state = RUNS;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("done" in reply) waiting?.resolve(reply.done);
    else if ("elsewhere" in reply) waiting?.reject(new JobNotRun(true));
    else if ("crashed" in reply) waiting?.reject(new Error(reply.crashed));
    else waiting?.reject(new SqlFailure(reply.failed.message, reply.failed.code, reply.failed.line));
  }

  #note(report: WatchdogReport): void {
    if ("over" in report) {
      this.#state = RUNS;
      return;
    }
    const changing = new Set(report.changing);
    if ("killed" in report) {
      this.#state = { is: "killed", job: report.killed, changing };
      return;
    }
    this.#reports += 1;
    const slow = this.#waiting.get(report.slow);
    this.#state = slow ? { is: "blocked", job: report.slow, folder: slow.job.folder, changing } : RUNS;
    for (const [id, { job, reject }] of this.#waiting) {
      if (id <= report.begun || isClosing(job)) continue;
      this.#waiting.delete(id);
      reject(new JobNotRun());
    }
  }

  /**
   * Rejects all waiting jobs. If the watchdog stopped a statement, its job is rejected with an error that says so, and
   * jobs that have changed nothing are rejected with `JobNotRun`. All other jobs are rejected with an internal error.
   */
  #fail(): void {
    const state = this.#state;
    for (const [id, { reject }] of this.#waiting) {
      if (state.is === "killed" && id === state.job)
        reject(
          new SqlFailure(
            statementStopped({ seconds: LIMIT_MS / 1000, gibibytes: LIMIT_BYTES / 1024 ** 3 }),
            "SQLITE_INTERRUPT",
          ),
        );
      else if (state.is === "killed" && !state.changing.has(id)) reject(new JobNotRun());
      else reject(new SqlFailure(ENGINE_ENDED, "SQLITE_INTERNAL"));
    }
    this.#waiting.clear();
  }
}

/** The engine's bundle in the published package. */
const BUNDLE = "reference-sql-engine.js";

/** In a checkout, the engine runs from its source, or from a bundle that the tests have made of the source. */
function startProcess(): ChildProcess {
  const bundle = [join(__dirname, BUNDLE), process.env.SQL_ENGINE_BUNDLE ?? ""].find((path) => existsSync(path));
  const options = { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "pipe", "ipc"] } as const;
  // Otherwise V8 takes 30 MB more for new objects under load, which is not faster.
  const flags = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=4"];
  if (bundle !== undefined) return fork(bundle, { ...options, stdio: [...options.stdio], execArgv: flags });
  const source = join(__dirname, "../engine/perform-jobs.ts");
  const execArgv = [...flags, "--import", "tsx"];
  return fork(source, { ...options, stdio: [...options.stdio], execArgv, cwd: __dirname });
}
