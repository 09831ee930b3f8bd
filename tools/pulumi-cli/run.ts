import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the program is ended. */
  readonly timeout?: number;
  /** Called with every line the program writes to its standard error. */
  readonly line?: (line: string) => void;
}

const linesShown = 15;
const timeToStop = 5_000;

/** Runs a program to its end and answers what it wrote to standard output; a failure shows its last lines. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd, env, signal, timeout, line } = options;
  signal?.throwIfAborted();
  const child = spawn(command, args, { cwd, env, timeout, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => interrupt(child);
  signal?.addEventListener("abort", stop, { once: true });
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
    signal?.removeEventListener("abort", stop);
  }
}

/** SIGINT rather than SIGTERM: `go` then ends its compilers and removes its work folder. */
function interrupt(child: ChildProcess): void {
  child.kill("SIGINT");
  const kill = setTimeout(() => child.kill("SIGKILL"), timeToStop);
  child.once("close", () => clearTimeout(kill));
}
