import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Run } from "../stack";

const END = "--- end of the command";

/** How long a command may run. The slowest commands in the docs take a few seconds. */
const LIMIT_MS = 600_000;

/**
 * A shell session that runs commands one after another, as a user types them, and keeps variables, aliases and the
 * current folder.
 */
export class Shell {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #output = "";
  #changed: () => void = () => undefined;

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#child = spawn("bash", ["--noprofile", "--norc"], {
      cwd,
      env,
      // Starts a process group, so that a command that does not end can be killed together with its child processes.
      detached: true,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdout.on("data", (chunk) => {
      this.#output += chunk;
      this.#changed();
    });
    this.#child.once("exit", () => this.#changed());
    this.#child.stdin.write("exec 2>&1\nshopt -s expand_aliases\n");
  }

  /**
   * Runs a command and returns its exit code and output.
   *
   * @param input Standard input for the command.
   * @throws Error if the command exits the shell, or is killed because it runs for more than ten minutes.
   */
  async run(command: string, input = ""): Promise<Run> {
    this.#output = "";
    this.#child.stdin.write(`{\n${command}\n} <<'INPUT'\n${input}INPUT\nprintf '\\n%s %d\\n' '${END}' $?\n`);
    const limit = AbortSignal.timeout(LIMIT_MS);
    limit.addEventListener("abort", () => this.#changed());
    for (;;) {
      const [, output = "", code] = new RegExp(`^(.*)\\n${END} (\\d+)\\n$`, "s").exec(this.#output) ?? [];
      if (code !== undefined) return { code: Number(code), output };
      if (this.#child.exitCode !== null) throw new Error(`the shell has ended:\n${this.#output}`);
      if (limit.aborted) {
        process.kill(-Number(this.#child.pid), "SIGKILL");
        throw new Error(`the command does not end: ${command}\n${this.#output}`);
      }
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  end(): void {
    this.#child.stdin.end();
  }
}
