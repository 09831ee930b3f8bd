import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isolated, makeFolders, pathWith } from "./isolation";
import { environmentFor, type ReadyMessage, readyMessageOf, startReference } from "./reference";

/** Milliseconds that processes have to stop, for example to finish a request that changes something. */
const TIME_TO_STOP = 30_000;

/**
 * A temporary Pulumi project with its own Pulumi home, state and platform. `clear` stops the project's processes and
 * removes its files.
 */
export class TemporaryProject {
  readonly #folder = mkdtempSync(join(tmpdir(), "dbplatform-stage-"));
  readonly #children = new Set<ChildProcess>();

  /**
   * Creates the project's folders.
   *
   * @param bin Path of the folder with the Pulumi CLI.
   */
  constructor(private readonly bin: string) {
    makeFolders(this.#folder);
  }

  get project(): string {
    return join(this.#folder, "project");
  }

  /**
   * Starts the project's platform: a reference API with a SQL server.
   *
   * @param seed Path of a file with the platform's initial data.
   */
  platform(seed?: string): Promise<ReadyMessage> {
    return readyMessageOf(this.#kept(startReference("--sql", ...(seed === undefined ? [] : ["--seed", seed]))));
  }

  /**
   * Runs a program in the project, with the environment variables that Pulumi and the provider need. Returns the exit
   * code.
   */
  run(platform: ReadyMessage, command: readonly string[], input: "ignore" | "inherit"): Promise<number> {
    const child = this.#start(platform, command, [input, "inherit", "inherit"]);
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? 1));
    });
  }

  /** Runs a program as `run` does, and returns the program's standard output, even if the program fails. */
  async record(platform: ReadyMessage, command: readonly string[]): Promise<string> {
    const child = this.#start(platform, command, ["ignore", "pipe", "inherit"]);
    return child.stdout ? text(child.stdout) : "";
  }

  #start(platform: ReadyMessage, [program = "", ...args]: readonly string[], stdio: StdioOptions): ChildProcess {
    // Other settings in the user's shell are for another platform.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("DBPLATFORM_"));
    const env = {
      ...Object.fromEntries(inherited),
      PATH: pathWith(this.bin),
      ...isolated(this.#folder),
      ...environmentFor(platform),
    };
    return this.#kept(spawn(program, args, { cwd: this.project, env, stdio }));
  }

  async clear(): Promise<void> {
    const ends = [...this.#children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of this.#children) child.kill("SIGTERM");
    const late = setTimeout(() => {
      for (const child of this.#children) child.kill("SIGKILL");
    }, TIME_TO_STOP);
    await Promise.all(ends);
    clearTimeout(late);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #kept<Child extends ChildProcess>(child: Child): Child {
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    child.once("error", () => this.#children.delete(child));
    return child;
  }
}
