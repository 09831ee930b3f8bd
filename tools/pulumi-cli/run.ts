import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number;
  /** Called with each line that the program writes to standard error. */
  readonly line?: (line: string) => void;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const linesShown = 15;
const timeToStop = 5_000;

/**
 * Runs a program and returns its standard output. If the program fails, the message of the thrown error contains the
 * last lines that the program wrote to standard error.
 */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd, env, signal, timeout, line } = options;
  signal?.throwIfAborted();
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => end(child, "SIGINT");
  signal?.addEventListener("abort", stop, { once: true });
  const late = timeout === undefined ? undefined : setTimeout(() => end(child, "SIGTERM"), timeout);
  const last: string[] = [];
  createInterface(child.stderr).on("line", (text) => {
    line?.(text);
    last.push(text);
    if (last.length > linesShown) last.shift();
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  try {
    const [code, endedBy] = await once(child, "close");
    signal?.throwIfAborted();
    if (code === 0) return output;
    throw new Error([`${command} ended with ${endedBy ?? `status ${code}`}`, ...last].join("\n"));
  } finally {
    clearTimeout(late);
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Stops a program. Prefer SIGINT: on SIGINT, `go` stops its compilers and removes its temporary folder. Closes the
 * pipes when the program has exited, because its child processes may keep the pipes open.
 */
function end(child: Child, by: "SIGINT" | "SIGTERM"): void {
  const release = () => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  if (child.exitCode !== null || child.signalCode !== null) {
    release();
    return;
  }
  child.once("exit", release);
  child.kill(by);
  const kill = setTimeout(() => child.kill("SIGKILL"), timeToStop);
  child.once("close", () => clearTimeout(kill));
}
