import { type ChildProcess, execFileSync } from "node:child_process";
import { expect } from "vitest";

export class RunningCommand {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        this.#output += chunk;
      });
    this.#ended = new Promise((resolve) => child.once("close", resolve));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until the command ends. Returns the whole output and the exit code, or -1 if the command was killed. */
  async ended(): Promise<{ readonly code: number; readonly output: string }> {
    return { code: (await this.#ended) ?? -1, output: this.#output };
  }

  /** Returns the process ids of the providers that the command has started. */
  providers(): number[] {
    const script = `pgrep -P ${this.#child.pid} -f pulumi-resource-dbplatform || true`;
    return execFileSync("sh", ["-c", script]).toString().split("\n").filter(Boolean).map(Number);
  }
}

/** Waits until all of the given processes have ended. */
export async function allGone(processes: readonly number[]): Promise<void> {
  await expect.poll(() => processes.filter(isAlive), { timeout: 10_000 }).toEqual([]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
