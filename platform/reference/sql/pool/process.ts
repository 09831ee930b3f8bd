import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SqlFailure } from "../engine/failure";
import type { Done, Job, Reply } from "../engine/jobs";
import { LIMIT_BYTES, LIMIT_MS } from "../engine/limits";
import { ENGINE_ENDED, stopped } from "../messages";

/** Thrown if a process ended before it began a job. Another process can then run the job. */
export class NotBegun extends Error {}

interface Waiting {
  readonly folder: string;
  readonly sent: number;
  resolve(done: Done): void;
  reject(reason: unknown): void;
}

/** A process counts as slow if it has unfinished jobs but has sent no reply for this many milliseconds. */
const SLOW_MS = 100;

/** A child process that runs statements. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #heard = 0;
  #blamed = "";

  /** @param ended Called when the process has ended, whatever the reason. */
  constructor(ended: () => void) {
    this.#child = started();
    this.#child.stdio[3]?.on("data", (bytes: Buffer) => {
      this.#blamed += bytes.toString();
    });
    this.#child.on("message", (reply: Reply) => this.#receive(reply));
    const end = () => {
      ended();
      this.#fail();
    };
    // Waits for `close` instead of `exit`, because the watchdog's report may arrive after `exit`.
    this.#child.once("close", end);
    // A process that cannot be started emits `error` without `close`.
    this.#child.on("error", end);
  }

  get load(): number {
    return this.#waiting.size;
  }

  get isSlow(): boolean {
    const [oldest] = this.#waiting.values();
    return oldest !== undefined && performance.now() - Math.max(this.#heard, oldest.sent) > SLOW_MS;
  }

  run(job: Job): Promise<Done> {
    this.#count += 1;
    const id = this.#count;
    return new Promise<Done>((resolve, reject) => {
      this.#waiting.set(id, { folder: job.folder, sent: performance.now(), resolve, reject });
      // A send error needs no handling: the process is ending, and all its jobs are then rejected.
      this.#child.send({ id, job }, () => undefined);
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #receive(reply: Reply): void {
    this.#heard = performance.now();
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("done" in reply) waiting?.resolve(reply.done);
    else if ("crashed" in reply) waiting?.reject(new Error(reply.crashed));
    else waiting?.reject(new SqlFailure(reply.failed.message, reply.failed.code, reply.failed.line));
  }

  /**
   * Rejects all waiting jobs. If the watchdog stopped a statement, all jobs of that database are rejected with an error
   * that says so. Later jobs of other databases have not begun, and are rejected with `NotBegun`. All other jobs are
   * rejected with an internal error.
   */
  #fail(): void {
    const blamed = Number(this.#blamed);
    const culprit = this.#waiting.get(blamed);
    for (const [id, { folder, reject }] of this.#waiting) {
      if (folder === culprit?.folder)
        reject(new SqlFailure(stopped(LIMIT_MS / 1000, LIMIT_BYTES / 1024 ** 3), "SQLITE_INTERRUPT"));
      else reject(blamed > 0 && id > blamed ? new NotBegun() : new SqlFailure(ENGINE_ENDED, "SQLITE_INTERNAL"));
    }
    this.#waiting.clear();
  }
}

/** The engine's bundle in the published package. In a checkout, the engine runs from its source. */
const BUNDLE = "reference-sql-engine.js";

function started(): ChildProcess {
  const bundle = join(__dirname, BUNDLE);
  const options = { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "pipe", "ipc"] } as const;
  const quiet = ["--disable-warning=ExperimentalWarning"];
  if (existsSync(bundle)) return fork(bundle, { ...options, stdio: [...options.stdio], execArgv: quiet });
  const source = join(__dirname, "../engine/main.ts");
  const execArgv = [...quiet, "--import", "tsx"];
  return fork(source, { ...options, stdio: [...options.stdio], execArgv, cwd: __dirname });
}
